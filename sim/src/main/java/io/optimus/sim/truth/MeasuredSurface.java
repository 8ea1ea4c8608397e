package io.optimus.sim.truth;

import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.job.JobDemand;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.MeasuredSpeed;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.TypicalSpeed;
import java.util.Optional;

/**
 * A speed function through measured sizes. At these it is exact; elsewhere it is the best fit of all of them with the
 * nearest measured deviations, as in {@link MeasuredSpeed}.
 */
public final class MeasuredSurface {
    private MeasuredSurface() {}

    /**
     * Returns the function of a job's own sizes; empty if nothing was measured.
     *
     * @param measured steps per second by size, with one server for a job without parameter servers
     */
    public static Optional<SpeedFunction> of(JobDemand demand, SpeedForm form, MeasuredSizes measured) {
        SizeRange range = new SizeRange(
                AllReduceSpeed.sizeForFit(demand, demand.minimum()),
                AllReduceSpeed.sizeForFit(demand, demand.maximum()));
        return demand.hasParameterServers()
                ? through(form, range, measured)
                : AllReduceSpeed.of(new SpeedFitter(form).fit(measured, range), measured);
    }

    /**
     * Returns the function through {@code measured}; empty if nothing was measured or no function goes through it.
     *
     * @param measured steps per second by size, with a task of each role
     */
    public static Optional<SpeedFunction> through(SpeedForm form, SizeRange range, MeasuredSizes measured) {
        SpeedFit fit = new SpeedFitter(form).fit(measured, range);
        return fit.fitted().or(() -> TypicalSpeed.through(form, measured));
    }
}
