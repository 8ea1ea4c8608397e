package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.HashMap;
import java.util.Map;

/**
 * The resources that the placements of a queue's jobs use, checked against its limits: room on nodes, queue budget, users'
 * limits.
 */
final class PlannedUse {
    private final Map<String, Resources> room = new HashMap<>();
    private final Resources budget;
    private final Map<String, String> userOfJob;
    private final Map<String, Resources> userLimits;
    private final NodeUse nodes = new NodeUse();
    private final Map<String, Resources> byUser = new HashMap<>();
    private Resources total = Resources.NONE;

    /** A queue without jobs; a user without an entry in {@code userLimits} is not limited. */
    PlannedUse(ClusterSnapshot cluster, Map<String, String> userOfJob, Map<String, Resources> userLimits) {
        for (NodeSnapshot node : cluster.nodes()) {
            room.put(node.id(), node.available());
        }
        this.budget = cluster.budget();
        this.userOfJob = userOfJob;
        this.userLimits = userLimits;
    }

    void add(JobSnapshot job, Placement placement) {
        nodes.add(job, placement);
        count(job, job.resources(placement.allocation()));
    }

    void remove(JobSnapshot job, Placement placement) {
        nodes.remove(job, placement);
        count(job, Resources.NONE.minus(job.resources(placement.allocation())));
    }

    private void count(JobSnapshot job, Resources more) {
        total = total.plus(more);
        byUser.merge(user(job), more, Resources::plus);
    }

    /** Replaces the placement of a job if the other one is within all limits; returns whether it is. */
    boolean replace(JobSnapshot job, Placement placed, Placement other) {
        remove(job, placed);
        Resources wanted = job.resources(other.allocation());
        // A placement that uses no more than the one that it replaces cannot newly exceed a sum.
        boolean within = (wanted.fitsIn(job.resources(placed.allocation())) || isWithinSums(job, wanted))
                && other.byNode().entrySet().stream()
                        .allMatch(tasks -> nodes.leavesRoomFor(
                                job,
                                tasks.getKey(),
                                tasks.getValue(),
                                room.getOrDefault(tasks.getKey(), Resources.NONE)));
        add(job, within ? other : placed);
        return within;
    }

    private boolean isWithinSums(JobSnapshot job, Resources wanted) {
        Resources limit = userLimits.get(user(job));
        return total.plus(wanted).fitsIn(budget)
                && (limit == null
                        || byUser.getOrDefault(user(job), Resources.NONE)
                                .plus(wanted)
                                .fitsIn(limit));
    }

    private String user(JobSnapshot job) {
        return userOfJob.getOrDefault(job.id(), "");
    }
}
