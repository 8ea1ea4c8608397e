/**
 * The training loss by step and its fit: {@link io.optimus.model.curve.LossHistory} keeps what was reported, {@link
 * io.optimus.model.curve.LossCurveFitter} fits a {@link io.optimus.model.curve.LossCurve} to it. Open {@code LossCurve}
 * first.
 */
@NullMarked
package io.optimus.model.curve;

import org.jspecify.annotations.NullMarked;
