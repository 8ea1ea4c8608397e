package io.optimus.yarn.round;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.placement.Placer;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.yarn.capacity.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps new tasks of an application off the nodes that it blacklists: YARN would grant nothing there. What runs there
 * already may stay.
 */
final class AvoidedNodes {
    private final Placer placer;
    private final ClusterSnapshot cluster;
    private final AllocationDecision decision;

    /** With the cluster that was placed on, and the decision that was placed. */
    AvoidedNodes(Placer placer, ClusterSnapshot cluster, AllocationDecision decision) {
        this.placer = placer;
        this.cluster = cluster;
        this.decision = decision;
    }

    /** Whether {@code placement} has more tasks on a node that the application avoids than run there. */
    static boolean isBrokenBy(Placement placement, Holding holding) {
        return holding.avoidedNodes().stream()
                .anyMatch(node -> !placement.on(node).isWithin(holding.live().on(node)));
    }

    /** Places the job of {@code holding} anew, without the nodes that it avoids, beside what all others were given. */
    Placed placeAnew(JobSnapshot job, Holding holding, NodeUse others) {
        Set<String> left = new TreeSet<>(holding.avoidedNodes());
        left.removeIf(node -> !holding.live().on(node).isNone());
        Placed staying = place(job, others, left);
        return isBrokenBy(staying.placement(), holding) ? place(job, others, holding.avoidedNodes()) : staying;
    }

    private Placed place(JobSnapshot job, NodeUse others, Set<String> without) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        for (NodeSnapshot node : cluster.nodes()) {
            Resources room = without.contains(node.id())
                    ? Resources.NONE
                    : node.available().minus(others.on(node.id()));
            nodes.add(new NodeSnapshot(node.id(), node.capacity(), room));
        }
        return placer.place(
                        new ClusterSnapshot(nodes, cluster.budget()),
                        List.of(job),
                        AllocationDecision.of(Map.of(job.id(), decision.job(job.id()))))
                .job(job.id());
    }
}
