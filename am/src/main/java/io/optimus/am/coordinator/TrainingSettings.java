package io.optimus.am.coordinator;

import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.job.JobSpec.Optimizer;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;

/**
 * What a coordinator is told of the job that it runs.
 *
 * @param mode how gradients meet
 * @param batch samples a step: of all workers together when synchronous, of one worker when asynchronous; 1 or more
 * @param seed decides initial parameters and the order of samples
 * @param optimizer how gradients become updates
 * @param stop when training ends
 * @param minimum fewest tasks to step with; under it the job waits
 * @param checkpoint how often there is one
 * @param timing how long to wait for what
 */
public record TrainingSettings(
        TrainingMode mode,
        int batch,
        long seed,
        Optimizer optimizer,
        StopRule stop,
        Allocation minimum,
        Checkpoint checkpoint,
        Timing timing) {

    /** Refuses what no job can run with. */
    public TrainingSettings {
        if (batch < 1 || checkpoint.everySteps() < 1 || checkpoint.everySeconds() < 1) {
            throw new IllegalArgumentException(
                    "A job wants batch >= 1 and checkpoints at least 1 step and 1 s apart, got batch=" + batch + " "
                            + checkpoint);
        }
        if (minimum.parameterServers() < 1 || minimum.workers() < 1) {
            throw new IllegalArgumentException("A job steps with at least 1 ps + 1 worker, got minimum " + minimum);
        }
    }

    /**
     * How long to wait for what, milliseconds.
     *
     * @param heartbeatMillis between signs of life, both ways
     * @param silenceMillis without a sign of life, after which a task is lost, or a task ends itself
     * @param stepMillis a worker may compute on one step before it counts as hung
     * @param reportMillis between loss points; 0: one a step
     * @param speedWindowMillis unbroken stepping that makes one speed sample
     */
    public record Timing(
            long heartbeatMillis, long silenceMillis, long stepMillis, long reportMillis, long speedWindowMillis) {
        /** Heartbeats of 1 s, lost after 15 s of silence or 5 minutes in a step, 2 loss points/s, 5 s speed samples. */
        public static final Timing DEFAULT = new Timing(1_000, 15_000, 300_000, 500, 5_000);
    }
}
