/**
 * The training loss by step and its fit: {@link io.optimus.model.losses.LossHistory} keeps what was reported, {@link
 * io.optimus.model.curve.LossCurveFitter} finds where it bends last and fits a {@link io.optimus.model.curve.LossCurve} of
 * one of three families to what follows. Open {@code LossCurve} first, then {@code LossCurveFitter}, whose comment lists
 * the steps and the class of each.
 */
@NullMarked
package io.optimus.model.curve;

import org.jspecify.annotations.NullMarked;
