package io.optimus.yarn.jobs;

import io.optimus.model.curve.CurveFit;

/**
 * A job's losses, fitted.
 *
 * @param curve what came of it
 * @param largestEpochLoss the largest mean loss of an epoch so far, 0 before the first point
 */
public record FittedLosses(CurveFit curve, double largestEpochLoss) {}
