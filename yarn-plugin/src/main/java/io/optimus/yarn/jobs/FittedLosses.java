package io.optimus.yarn.jobs;

import io.optimus.model.curve.CurveFit;
import io.optimus.model.losses.EpochLosses;

/**
 * The losses of a job and the fit of their curve.
 *
 * @param curve the fit of the curve
 * @param epochs mean losses by epoch
 */
public record FittedLosses(CurveFit curve, EpochLosses epochs) {}
