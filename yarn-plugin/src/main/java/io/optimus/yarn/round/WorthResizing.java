package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.speed.SpeedFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Drops the resizes that do not repay their own measured cost: a job keeps its old placement where that still fits
 * beside everybody else's new one, and the new one would save it less time than the resize costs.
 *
 * <p>Example: 1,000 steps remain, 10 steps/s now and 10.05 with one more worker: 100 s against 99.5 s. With resizes of 1
 * s, the job stays as it is.
 */
final class WorthResizing {
    private WorthResizing() {}

    /**
     * The proposals, without such resizes.
     *
     * @param old placements that are in force, by job id
     */
    static Map<String, Proposal> keepOldWhere(
            ClusterSnapshot cluster,
            List<JobSnapshot> jobs,
            Map<String, Placement> old,
            Map<String, Proposal> proposed) {
        Map<String, Proposal> kept = new HashMap<>(proposed);
        NodeUse use = new NodeUse();
        jobs.forEach(job -> use.add(job, planned(job, proposed)));
        for (JobSnapshot job : jobs) {
            Placement before = old.getOrDefault(job.id(), Placement.NONE);
            Placement after = planned(job, proposed);
            Proposal proposal = proposed.get(job.id());
            if (proposal != null && !proposal.exploring() && !before.equals(after) && !repays(job, before, after)) {
                use.remove(job, after);
                if (fits(cluster, job, before, use)) {
                    kept.put(
                            job.id(),
                            new Proposal(
                                    before,
                                    "stays at " + before.allocation() + ": going to " + after.allocation()
                                            + " would not repay its cost of " + job.resizeCostSeconds() + " s",
                                    false));
                    use.add(job, before);
                } else {
                    use.add(job, after);
                }
            }
        }
        return kept;
    }

    private static boolean repays(JobSnapshot job, Placement before, Placement after) {
        Allocation from = before.allocation();
        Allocation to = after.allocation();
        if (from.isNone()
                || to.isNone()
                || !from.isWithin(job.maximum())
                || !job.minimum().isWithin(from)) {
            return true;
        }
        if (from.equals(to)) {
            return false;
        }
        if (job.speed().isEmpty() || job.remainingSteps().isEmpty()) {
            return true;
        }
        SpeedFunction speed = job.speed().get();
        double remaining = job.remainingSteps().getAsDouble();
        double saved = remaining / speed.stepsPerSecond(from) - remaining / speed.stepsPerSecond(to);
        // A shrink saves the job nothing; what it frees is worth something to others, or to nobody.
        return to.isWithin(from) || saved > job.resizeCostSeconds();
    }

    private static boolean fits(ClusterSnapshot cluster, JobSnapshot job, Placement placement, NodeUse others) {
        Map<String, Resources> room = new HashMap<>();
        for (NodeSnapshot node : cluster.nodes()) {
            room.put(node.id(), node.available());
        }
        return placement.byNode().entrySet().stream()
                .allMatch(tasks -> others.leavesRoomFor(
                        job, tasks.getKey(), tasks.getValue(), room.getOrDefault(tasks.getKey(), Resources.NONE)));
    }

    private static Placement planned(JobSnapshot job, Map<String, Proposal> proposed) {
        Proposal proposal = proposed.get(job.id());
        return proposal == null ? Placement.NONE : proposal.planned();
    }
}
