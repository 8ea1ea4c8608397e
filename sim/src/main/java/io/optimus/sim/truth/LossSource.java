package io.optimus.sim.truth;

import io.optimus.model.losses.LossPoint;
import java.util.List;

/** The losses of a job in one run. */
public interface LossSource {
    /** The points up to {@code step} that were not shown yet, in order of their steps. */
    List<LossPoint> showUntil(double step);
}
