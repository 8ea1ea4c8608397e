package io.optimus.model.plan;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.HashMap;
import java.util.Map;

/** The resources that placements use on each node. */
final class NodeUse {
    private final Map<String, Resources> byNode = new HashMap<>();

    void add(JobSnapshot job, Placement placement) {
        placement.byNode().forEach((node, tasks) -> byNode.merge(node, job.resources(tasks), Resources::plus));
    }

    void remove(JobSnapshot job, Placement placement) {
        placement
                .byNode()
                .forEach((node, tasks) ->
                        byNode.merge(node, Resources.NONE.minus(job.resources(tasks)), Resources::plus));
    }

    Resources on(String node) {
        return byNode.getOrDefault(node, Resources.NONE);
    }

    /** Whether {@code tasks} of {@code job} fit on {@code node}, which has {@code room} in all, beside the present use. */
    boolean leavesRoomFor(JobSnapshot job, String node, Allocation tasks, Resources room) {
        return job.resources(tasks).fitsIn(room.minus(on(node)));
    }
}
