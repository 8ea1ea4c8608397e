package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.placement.Placer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Places the jobs of a queue. A job gets no new tasks on nodes that it avoids, because YARN would grant it nothing there;
 * tasks that run there may stay.
 */
final class AvoidingPlacement {
    private final Placer placer;
    private final QueueSnapshot queue;
    private final AllocationDecision decision;

    AvoidingPlacement(Placer placer, QueueSnapshot queue, AllocationDecision decision) {
        this.placer = placer;
        this.queue = queue;
        this.decision = decision;
    }

    /** Placements by job id. If the placer puts a job on a node that it avoids, the job is placed again, beside the others. */
    Map<String, Placed> place() {
        Map<String, Placed> placements = new HashMap<>(
                placer.place(queue.cluster(), queue.snapshots(), decision).byJob());
        NodeUse use = new NodeUse();
        for (QueuedJob job : queue.jobs()) {
            Placed placed = placements.get(job.id());
            if (placed != null) {
                use.add(job.job(), placed.placement());
            }
        }
        for (QueuedJob job : queue.jobs().stream().sorted(QueuedJob.BY_AGE).toList()) {
            Placed placed = placements.get(job.id());
            if (placed != null && !job.addsNothingOnAvoided(placed.placement())) {
                use.remove(job.job(), placed.placement());
                Placed elsewhere = placeAnew(job, use);
                use.add(job.job(), elsewhere.placement());
                placements.put(job.id(), elsewhere);
            }
        }
        return placements;
    }

    private Placed placeAnew(QueuedJob job, NodeUse others) {
        Placed staying = place(job, others, job.avoidedAndEmpty());
        return job.addsNothingOnAvoided(staying.placement()) ? staying : place(job, others, job.avoidedNodes());
    }

    private Placed place(QueuedJob job, NodeUse others, Set<String> without) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        for (NodeSnapshot node : queue.cluster().nodes()) {
            Resources room = without.contains(node.id())
                    ? Resources.NONE
                    : node.available().minus(others.on(node.id()));
            nodes.add(node.withAvailable(room));
        }
        return placer.place(
                        new ClusterSnapshot(nodes, queue.cluster().budget()),
                        List.of(job.job()),
                        AllocationDecision.of(Map.of(job.id(), decision.job(job.id()))))
                .job(job.id());
    }
}
