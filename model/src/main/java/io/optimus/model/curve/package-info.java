/**
 * The training loss by step and its fit. A {@link io.optimus.model.curve.LossCurve} is what comes out; open it first.
 */
@NullMarked
package io.optimus.model.curve;

import org.jspecify.annotations.NullMarked;
