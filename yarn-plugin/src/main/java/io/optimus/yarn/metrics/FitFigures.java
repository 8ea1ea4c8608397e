package io.optimus.yarn.metrics;

import java.util.OptionalDouble;

/**
 * How the fits of all jobs go.
 *
 * @param fits loss curves that were fitted to new losses since the scheduler started
 * @param failures fits that threw since then; their jobs kept their beliefs
 * @param curveError median distance of the losses from their curve, as a part of the largest loss; empty without a curve
 * @param speedError median distance of measured speeds from the fitted function, as a part of the speed; empty without one
 */
public record FitFigures(long fits, long failures, OptionalDouble curveError, OptionalDouble speedError) {
    /** Nothing was fitted. */
    static final FitFigures NONE = new FitFigures(0, 0, OptionalDouble.empty(), OptionalDouble.empty());
}
