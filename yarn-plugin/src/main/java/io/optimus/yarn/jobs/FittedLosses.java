package io.optimus.yarn.jobs;

import io.optimus.model.curve.CurveFit;
import io.optimus.model.losses.EpochLosses;

/**
 * A job's losses, fitted.
 *
 * @param curve what came of it
 * @param epochs their means by epoch
 */
public record FittedLosses(CurveFit curve, EpochLosses epochs) {}
