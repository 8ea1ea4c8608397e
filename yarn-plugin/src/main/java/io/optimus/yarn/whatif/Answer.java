package io.optimus.yarn.whatif;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.yarn.jobs.JobView;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a question.
 *
 * @param millis the moment of the forecast's beginning, since 1970
 * @param paused whether rounds are paused, so that the forecast is what would happen if they went on
 * @param asked the job of the question; empty if there was none
 * @param jobs all other jobs
 * @param changes the effects, one for each change that was asked about
 */
public record Answer(long millis, boolean paused, Optional<Asked> asked, List<JobView> jobs, List<Change> changes) {
    /**
     * The job of the question.
     *
     * @param id by which reasons name it
     * @param name its name
     * @param user its owner
     * @param queue path of its queue
     * @param speedFrom where its speed comes from
     * @param stepsFrom where its steps come from
     * @param drained whether its queue or all of its queue's room is drained, so that no round plans it
     */
    public record Asked(
            String id, String name, String user, String queue, String speedFrom, String stepsFrom, boolean drained) {}

    /**
     * A change.
     *
     * @param node the node that was added; empty for the change of the question
     * @param like how many nodes of that kind the cluster has
     * @param effect what the change does
     */
    public record Change(Optional<NodeSnapshot> node, long like, Effect effect) {}

    public Answer {
        jobs = List.copyOf(jobs);
        changes = List.copyOf(changes);
    }
}
