package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.sim.truth.WorkStage;
import java.util.List;

/**
 * The time that a job would take alone on an equal share of the cluster. Themis (NSDI 2020) compares its completion
 * time with this.
 *
 * <pre>seconds = sum over stages of steps / f(best size that 1/n of the cluster holds)</pre>
 *
 * <p>without any pause, on GPUs of mean speed, where n is the mean number of jobs that were active during its life. A
 * job whose minimum is larger than its share runs on its minimum for a part of the time.
 *
 * <p>Example: 8 GPUs, 4 jobs on average, 100 steps, 1 step/s on one GPU and 1.8 on two: 100/1.8 = 55.6 s on a share of two.
 * With 16 jobs its share is half a GPU: 200 s.
 */
final class EqualShare {
    /** Tolerates the rounding of a share that is exactly as large as a size. */
    private static final double ROUNDING = 1e-9;

    private EqualShare() {}

    /**
     * Seconds from start to end on GPUs of speed 1.
     *
     * @param jobs mean number of jobs that share, 1 or more
     */
    static double seconds(SimulatedJob job, List<WorkStage> stages, Resources capacity, double jobs) {
        if (stages.isEmpty()) {
            // Nothing is known of its work, and there may be many sizes.
            return 0;
        }
        double share = 1 / jobs;
        List<Allocation> sizes = job.sizes(capacity).stream()
                .filter(size -> part(job, size, capacity) <= share + ROUNDING)
                .toList();
        Allocation minimum = job.demand().minimum();
        double timesMinimum = sizes.isEmpty() ? part(job, minimum, capacity) / share : 1;
        List<Allocation> held = sizes.isEmpty() ? List.of(minimum) : sizes;
        return timesMinimum
                * stages.stream()
                        .mapToDouble(stage ->
                                held.stream().mapToDouble(stage::seconds).min().orElseThrow())
                        .sum();
    }

    private static double part(SimulatedJob job, Allocation size, Resources capacity) {
        return job.demand().resources(size).dominant(capacity).part();
    }
}
