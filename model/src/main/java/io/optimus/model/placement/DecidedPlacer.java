package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Places tasks where their policy decided, for policies that search sizes and placements together. If the policy named no
 * placement, or it has no room, {@link OptimusPlacer} places the job in the remaining room.
 */
public final class DecidedPlacer implements Placer {
    private static final Comparator<JobSnapshot> FIXED_FIRST = Comparator.comparing(JobSnapshot::mayShrink)
            .thenComparingLong(JobSnapshot::submitMillis)
            .thenComparing(JobSnapshot::id);

    private final Placer otherwise = new OptimusPlacer();

    @Override
    public String name() {
        return "decided";
    }

    @Override
    public PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        Map<String, Resources> free = new HashMap<>();
        for (NodeSnapshot node : cluster.nodes()) {
            free.put(node.id(), node.available());
        }
        TreeMap<String, Placed> placed = new TreeMap<>();
        List<JobSnapshot> others = new ArrayList<>();
        for (JobSnapshot job : jobs.stream().sorted(FIXED_FIRST).toList()) {
            Placement named = named(job, decision.job(job.id()));
            if (!named.byNode().isEmpty() && take(job, named, free)) {
                placed.put(
                        job.id(),
                        new Placed(
                                named, new PlacementReason.Named(named.byNode().size())));
            } else {
                others.add(job);
            }
        }
        placed.putAll(otherwise.place(left(cluster, free), others, decision).byJob());
        return new PlacementDecision(placed);
    }

    /** The placement that the policy named, or the current one of a job that may not shrink and keeps its size. */
    private static Placement named(JobSnapshot job, Decided decided) {
        boolean keeps =
                !job.mayShrink() && decided.allocation().equals(job.current().allocation());
        return decided.placement().orElse(keeps ? job.current() : Placement.NONE);
    }

    /** Takes the room for all tasks or none. A job that may not shrink stays even if its nodes have lost the room. */
    private static boolean take(JobSnapshot job, Placement named, Map<String, Resources> free) {
        boolean stays = !job.mayShrink() && named.equals(job.current());
        boolean taken = stays
                || named.byNode().entrySet().stream().allMatch(tasks -> job.resources(tasks.getValue())
                        .fitsIn(free.getOrDefault(tasks.getKey(), Resources.NONE)));
        if (taken) {
            named.byNode()
                    .forEach((node, tasks) ->
                            free.merge(node, job.resources(tasks).times(-1), Resources::plus));
        }
        return taken;
    }

    private static ClusterSnapshot left(ClusterSnapshot cluster, Map<String, Resources> free) {
        return new ClusterSnapshot(
                cluster.nodes().stream()
                        .map(node -> node.withAvailable(free.getOrDefault(node.id(), Resources.NONE)))
                        .toList(),
                cluster.budget());
    }
}
