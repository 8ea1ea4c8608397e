/** Solvers of small numerical problems. */
@NullMarked
package io.optimus.model.numerics;

import org.jspecify.annotations.NullMarked;
