package io.optimus.sim.trace.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import java.util.stream.IntStream;

/**
 * The true goodput of a job that adapts its batch, with the best of {@value #CANDIDATES} batches in equal ratios.
 * {@link io.optimus.model.throughput.Goodput} would give this if its fit had no error.
 *
 * @param profile profile of the model
 * @param epoch present epoch of the job
 * @param workersPerNode workers that a node holds, 1 or more
 */
record MeasuredGoodput(Profile profile, int epoch, int workersPerNode) implements SpeedFunction {
    /** Pollux tries this number of batches. */
    private static final int CANDIDATES = 50;

    @Override
    public double stepsPerSecond(Allocation allocation) {
        int workers = allocation.workers();
        return stepsPerSecond(allocation, (workers + workersPerNode - 1) / workersPerNode);
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        int replicas = allocation.workers();
        BatchLimits batches = profile.batches();
        if (replicas == 0
                || replicas > batches.maxReplicas()
                || epoch >= profile.epochs().count()) {
            return 0;
        }
        double best = 0;
        for (double total : candidates(batches, replicas)) {
            best = Math.max(
                    best,
                    batches.split(total, replicas)
                            .map(split -> with(split, nodes, replicas))
                            .orElse(0.0));
        }
        return best;
    }

    static double[] candidates(BatchLimits batches, int replicas) {
        double smallest = batches.smallestBatch(replicas);
        double ratio = batches.maxBatch() / smallest;
        return IntStream.range(0, CANDIDATES)
                .mapToDouble(i -> smallest * Math.pow(ratio, (double) i / (CANDIDATES - 1)))
                .toArray();
    }

    private double with(BatchSplit split, int nodes, int replicas) {
        double gain = profile.epochs()
                .gain(
                        epoch,
                        (double) split.totalBatch(replicas),
                        profile.batches().initialBatch());
        return gain
                / profile.stepTimes()
                        .at(StepTimes.packed(nodes, replicas, workersPerNode), split.atomicBatch())
                        .updateSeconds(split.accumulatedSteps());
    }
}
