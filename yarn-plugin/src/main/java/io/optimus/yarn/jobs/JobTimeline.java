package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.losses.LossPoint;
import java.util.List;

/**
 * What happened to a job since this ResourceManager first saw it, for its page; oldest first.
 *
 * @param losses the points of its loss curve since the last bend that was announced
 * @param sizes the tasks that it held
 * @param decisions what plans decided for it
 */
public record JobTimeline(List<LossPoint> losses, List<Size> sizes, List<Decision> decisions) {
    /** Copies. */
    public JobTimeline {
        losses = List.copyOf(losses);
        sizes = List.copyOf(sizes);
        decisions = List.copyOf(decisions);
    }

    /**
     * The tasks that a job held from a time on.
     *
     * @param atMillis the time, by the clock of the rounds
     * @param tasks its tasks
     */
    public record Size(long atMillis, Allocation tasks) {}

    /**
     * What a plan decided for a job.
     *
     * @param plan number of the plan
     * @param atMillis when it was published, by the clock of the rounds
     * @param planned the size
     * @param exploring whether the size was chosen to learn the speed function
     * @param reason why, in one sentence
     */
    public record Decision(long plan, long atMillis, Allocation planned, boolean exploring, String reason) {}
}
