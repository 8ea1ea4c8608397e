@NullMarked
package io.optimus.model.exploration;

import org.jspecify.annotations.NullMarked;
