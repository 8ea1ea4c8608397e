package io.optimus.model.belief;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobDemand;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/**
 * The speed of a job without parameter servers. Its fit assumes one server that never changes, so that the seconds of a step
 * are a weighted sum of 1/w, 1 and w.
 *
 * <p>The fit holds up to the most workers that ran. Beyond them, and before there is a fit, a step is a part that the workers
 * share and a fixed part; they follow from the smallest and the largest measured size, and are one half each if there is one
 * size only. As in Pollux (section 4.1), costs that were never seen count as 0: a few sizes cannot tell a cost per worker from
 * the single cost of crossing nodes.
 *
 * <p>Example: after 2 s a step on 1 worker, it expects 1.5 s on 2 and 1.25 s on 4.
 */
public final class AllReduceSpeed implements SpeedFunction {
    private final Optional<SpeedFunction> fitted;
    private final int mostWorkers;
    private final double sharedSeconds;
    private final double fixedSeconds;

    private AllReduceSpeed(SpeedFit fit, MeasuredSizes measured) {
        MeasuredSize few = measured.sizes().get(0);
        MeasuredSize many = measured.sizes().get(measured.sizes().size() - 1);
        double most = workers(many) / many.stepsPerSecond();
        double shared = workers(few) == workers(many)
                ? most / 2
                : (1 / few.stepsPerSecond() - 1 / many.stepsPerSecond()) / (1 / workers(few) - 1 / workers(many));
        this.sharedSeconds = Math.max(0, Math.min(most, shared));
        this.fixedSeconds = (most - sharedSeconds) / workers(many);
        this.fitted = fit.fitted();
        this.mostWorkers = many.allocation().workers();
    }

    /**
     * The speed that follows from measurements; empty before the first one.
     *
     * @param fit the fit of {@code measured}
     * @param measured sizes with one server, in order
     */
    public static Optional<SpeedFunction> of(SpeedFit fit, MeasuredSizes measured) {
        return measured.isEmpty() ? Optional.empty() : Optional.of(new AllReduceSpeed(fit, measured));
    }

    private static double workers(MeasuredSize size) {
        return size.allocation().workers();
    }

    /** The size that stands for {@code size} in measurements and fits: with one server, if the job of {@code demand} has none. */
    public static Allocation sizeForFit(JobDemand demand, Allocation size) {
        return demand.hasParameterServers() ? size : sizeForFit(size);
    }

    /** The job's own size that {@code sizeForFit} stands for. */
    public static Allocation sizeOfJob(JobDemand demand, Allocation sizeForFit) {
        return demand.hasParameterServers() ? sizeForFit : new Allocation(0, sizeForFit.workers());
    }

    private static Allocation sizeForFit(Allocation size) {
        return new Allocation(1, size.workers());
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        return fitFor(allocation)
                .map(fit -> fit.stepsPerSecond(sizeForFit(allocation)))
                .orElseGet(() -> beyond(allocation));
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        return fitFor(allocation)
                .map(fit -> fit.stepsPerSecond(sizeForFit(allocation), nodes))
                .orElseGet(() -> beyond(allocation));
    }

    private Optional<SpeedFunction> fitFor(Allocation allocation) {
        return allocation.workers() > mostWorkers ? Optional.empty() : fitted;
    }

    private double beyond(Allocation allocation) {
        return 1 / (sharedSeconds / allocation.workers() + fixedSeconds);
    }
}
