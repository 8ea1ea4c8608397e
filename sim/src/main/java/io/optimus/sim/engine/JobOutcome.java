package io.optimus.sim.engine;

import io.optimus.model.Allocation;

/**
 * The result of one job.
 *
 * @param id of the job
 * @param model name of the model that it trained
 * @param times when it waited, ran and paused
 * @param resizes number of its resizes, without its start
 * @param gpuSeconds number of GPUs that it held, summed over time
 * @param equalShareSeconds time that it would have taken alone on an equal share of the cluster, see {@link EqualShare}
 * @param largest the most tasks of each role that it held at a time
 */
public record JobOutcome(
        String id,
        String model,
        Times times,
        int resizes,
        double gpuSeconds,
        double equalShareSeconds,
        Allocation largest) {
    /**
     * The times when a job waited, ran and paused.
     *
     * @param arrivalSeconds when it was submitted
     * @param startSeconds when it first held tasks
     * @param endSeconds when it ended
     * @param longestWaitSeconds the longest uninterrupted time without tasks
     * @param pausedSeconds time that it held tasks and did not step, starts included
     */
    public record Times(
            double arrivalSeconds,
            double startSeconds,
            double endSeconds,
            double longestWaitSeconds,
            double pausedSeconds) {}

    /** The completion time, from submission to end. */
    public double jctSeconds() {
        return times.endSeconds() - times.arrivalSeconds();
    }

    /** Finish-time fairness (Themis, NSDI 2020): above 1 if it took longer than on an equal share of the cluster. */
    public double fairness() {
        return jctSeconds() / equalShareSeconds;
    }

    /** The time from submission to its first tasks. */
    public double queueSeconds() {
        return times.startSeconds() - times.arrivalSeconds();
    }
}
