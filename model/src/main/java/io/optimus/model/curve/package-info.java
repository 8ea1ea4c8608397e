/**
 * The loss curve of a job and its fit: {@link io.optimus.model.curve.LossCurveFitter} finds where the reported losses bend last
 * and fits a {@link io.optimus.model.curve.LossCurve} of one of three families to what follows. Open {@code LossCurve} first,
 * then {@code LossCurveFitter}, whose comment lists the steps and the class of each. {@link
 * io.optimus.model.curve.PaperCurveFit} is the fit as Optimus's paper describes it.
 */
@NullMarked
package io.optimus.model.curve;

import org.jspecify.annotations.NullMarked;
