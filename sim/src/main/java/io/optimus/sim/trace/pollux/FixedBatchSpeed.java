package io.optimus.sim.trace.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.throughput.BatchSplit;

/**
 * Steps of a fixed batch per second; 0 if the batch has fewer samples than replicas.
 *
 * @param profile profile of the model
 * @param batch total batch, 1 or more
 * @param workersPerNode workers that a node holds, 1 or more
 * @param seconds measured or fitted time of an update
 */
record FixedBatchSpeed(Profile profile, int batch, int workersPerNode, UpdateSeconds seconds) implements SpeedFunction {
    /** Gives the seconds from one update of the parameters to the next. */
    interface UpdateSeconds {
        /** Returns the seconds for replicas that are packed as densely as possible on these nodes. */
        double of(int nodes, int replicas, BatchSplit split);
    }

    static FixedBatchSpeed measured(Profile profile, int batch, int workersPerNode) {
        return new FixedBatchSpeed(profile, batch, workersPerNode, (nodes, replicas, split) -> profile.stepTimes()
                .at(StepTimes.packed(nodes, replicas, workersPerNode), split.atomicBatch())
                .updateSeconds(split.accumulatedSteps()));
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        int workers = allocation.workers();
        return stepsPerSecond(allocation, (workers + workersPerNode - 1) / workersPerNode);
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        int replicas = allocation.workers();
        if (replicas == 0
                || replicas * profile.batches().minAtomicBatch()
                        > Math.max(batch, profile.batches().minAtomicBatch())) {
            return 0;
        }
        return profile.batches()
                .split(batch, replicas)
                .map(split -> 1 / seconds.of(nodes, replicas, split))
                .orElse(0.0);
    }
}
