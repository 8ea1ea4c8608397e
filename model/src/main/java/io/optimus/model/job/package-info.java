@NullMarked
package io.optimus.model.job;

import org.jspecify.annotations.NullMarked;
