@NullMarked
package io.optimus.model.belief;

import org.jspecify.annotations.NullMarked;
