package io.optimus.sim.truth;

import io.optimus.model.losses.LossPoint;
import java.util.List;

/** The losses that a job reports in one run. */
public interface LossSource {
    /** Returns the points up to {@code step} that were not returned before, in order of their steps. */
    List<LossPoint> showUntil(double step);
}
