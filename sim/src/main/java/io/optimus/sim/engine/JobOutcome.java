package io.optimus.sim.engine;

import io.optimus.model.Allocation;

/**
 * What became of a job.
 *
 * @param id of the job
 * @param model what it trained
 * @param arrivalSeconds when it was submitted
 * @param startSeconds when it first held tasks
 * @param endSeconds when it ended
 * @param longestWaitSeconds the longest time in a row that it was without tasks
 * @param resizes that it carried out, without its start
 * @param pausedSeconds that it held tasks and stood still, starts included
 * @param gpuSeconds GPUs that it held, summed over time
 * @param equalShareSeconds what it would have taken alone on an equal share of the cluster, see {@link EqualShare}
 * @param largest the most tasks of each role that it held at a time
 */
public record JobOutcome(
        String id,
        String model,
        double arrivalSeconds,
        double startSeconds,
        double endSeconds,
        double longestWaitSeconds,
        int resizes,
        double pausedSeconds,
        double gpuSeconds,
        double equalShareSeconds,
        Allocation largest) {
    /** Completion time: from submission to end. */
    public double jctSeconds() {
        return endSeconds - arrivalSeconds;
    }

    /** Finish-time fairness (Themis, NSDI 2020): above 1, it took longer than on an equal share of the cluster. */
    public double fairness() {
        return jctSeconds() / equalShareSeconds;
    }

    /** From submission to its first tasks. */
    public double queueSeconds() {
        return startSeconds - arrivalSeconds;
    }
}
