/** The training loss by step and its fit. Open {@link io.optimus.model.curve.LossPoint} first. */
@NullMarked
package io.optimus.model.curve;

import org.jspecify.annotations.NullMarked;
