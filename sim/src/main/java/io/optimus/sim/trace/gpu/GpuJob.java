package io.optimus.sim.trace.gpu;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.trace.SteppingScript;
import io.optimus.sim.truth.SteppingTraining;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job of a trace that only records the job's number of GPUs and its duration.
 *
 * <p>Its speed on other sizes is our choice: all-reduce training, where further GPUs do not share {@value #FIXED} of a
 * step on one GPU, and a step takes up to {@value #CROSSING} more on several nodes:
 *
 * <pre>seconds(K, n) = (1 − fixed)/K + fixed + crossing·(1 − 1/n),  of a step that takes 1 s on 1 GPU</pre>
 *
 * <p>Its work is that of its recorded duration on its recorded GPUs on the fewest nodes. It may have from 1 GPU to
 * twice as many as it had. It reports its speed but no loss, so its end is not predicted.
 *
 * @param id unique in its workload
 * @param model name in reports, such as the name of its queue
 * @param arrivalSeconds 0 or more
 * @param durationSeconds recorded duration, above 0
 * @param gpus recorded number of GPUs, 1 or more
 * @param gpusPerNode GPUs of a node of the simulated cluster
 */
public record GpuJob(
        String id, String model, double arrivalSeconds, double durationSeconds, int gpus, int gpusPerNode) {
    /** Data-parallel training of the usual models is half as efficient on some 20 GPUs as on one. */
    private static final double FIXED = 0.05;

    /** The network between nodes costs as much again. */
    private static final double CROSSING = 0.05;

    private static final Declaration DECLARED = new Declaration(new SpeedForm.Synchronous(1), Optional.empty(), 1);
    private static final int LARGEST_GROWTH = 2;

    public SimulatedJob simulated() {
        JobDemand demand =
                new JobDemand(RoleDemand.NONE, new RoleDemand(SteppingScript.DEFAULT_WORKER, 1, LARGEST_GROWTH * gpus));
        Allocation requested = new Allocation(0, gpus);
        SpeedFunction truth = new Scaling(gpusPerNode);
        double steps = durationSeconds * truth.stepsPerSecond(requested);
        return new SimulatedJob(
                id,
                model,
                arrivalSeconds,
                demand,
                requested,
                OptionalDouble.empty(),
                new SteppingScript(
                        truth, seed -> new SteppingTraining(truth, steps, Optional.empty()), demand, DECLARED));
    }

    private record Scaling(int gpusPerNode) implements SpeedFunction {
        @Override
        public double stepsPerSecond(Allocation allocation) {
            return stepsPerSecond(allocation, (allocation.workers() + gpusPerNode - 1) / gpusPerNode);
        }

        @Override
        public double stepsPerSecond(Allocation allocation, int nodes) {
            return 1 / ((1 - FIXED) / allocation.workers() + FIXED + CROSSING * (1 - 1.0 / Math.max(1, nodes)));
        }
    }
}
