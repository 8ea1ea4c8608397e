package io.optimus.yarn.round;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.placement.PlacementReason;
import io.optimus.model.placement.Placer;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.AllocationDecision.Decided;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.yarn.capacity.ClusterView;
import io.optimus.yarn.capacity.Holding;
import io.optimus.yarn.capacity.QueueView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Allocate, place, diff: from a view of the cluster to what every job shall have. Pure; queues in the view's order. */
final class Planner {
    private final Function<String, AllocationPolicy> policyOfQueue;
    private final Placer placer;

    /** With the policy of each leaf queue, by its path. */
    Planner(Function<String, AllocationPolicy> policyOfQueue, Placer placer) {
        this.policyOfQueue = policyOfQueue;
        this.placer = placer;
    }

    /**
     * Plans every queue.
     *
     * @param jobs the jobs that hold something or want to, by application; other holdings are left as they are
     * @param old placements that are in force
     */
    SortedMap<ApplicationId, Proposal> plan(
            ClusterView view, Map<ApplicationId, JobSnapshot> jobs, Map<ApplicationId, Placement> old) {
        SortedMap<ApplicationId, Proposal> plan = new TreeMap<>();
        Map<String, Resources> taken = new HashMap<>();
        for (QueueView queue : view.queues()) {
            List<Holding> holdings = queue.holdings().stream()
                    .filter(holding -> jobs.containsKey(holding.application().id()))
                    .toList();
            ClusterSnapshot cluster = ClusterView.less(queue.cluster(), taken);
            Map<String, Proposal> ofQueue = queue(queue, cluster, holdings, jobs, old);
            for (Holding holding : holdings) {
                ApplicationId id = holding.application().id();
                Proposal proposal = ofQueue.get(id.toString());
                if (proposal != null) {
                    plan.put(id, proposal);
                }
            }
            takeGrowth(taken, queue, holdings, jobs, plan);
        }
        return plan;
    }

    private Map<String, Proposal> queue(
            QueueView queue,
            ClusterSnapshot cluster,
            List<Holding> holdings,
            Map<ApplicationId, JobSnapshot> jobs,
            Map<ApplicationId, Placement> old) {
        Map<String, String> users = new HashMap<>();
        Map<String, Placement> inForce = new HashMap<>();
        for (Holding holding : holdings) {
            ApplicationId id = holding.application().id();
            users.put(id.toString(), holding.user());
            Placement planned = old.getOrDefault(id, holding.live());
            inForce.put(id.toString(), AvoidedNodes.isBrokenBy(planned, holding) ? holding.live() : planned);
        }
        List<JobSnapshot> snapshots = holdings.stream()
                .map(holding -> jobs.get(holding.application().id()))
                .toList();
        AllocationDecision decision = new UserShares(policyOfQueue.apply(queue.queue()), users, queue.userBudgets())
                .allocate(cluster, snapshots);
        Map<String, Placed> placements =
                new HashMap<>(placer.place(cluster, snapshots, decision).byJob());
        keepOffAvoidedNodes(new AvoidedNodes(placer, cluster, decision), holdings, jobs, placements);
        Map<String, Proposal> proposals = new HashMap<>();
        placements.forEach((id, placed) -> proposals.put(id, proposal(decision.job(id), placed)));
        return WorthResizing.keepOldWhere(
                new PlannedUse(cluster, users, queue.userBudgets()), snapshots, inForce, proposals);
    }

    private static void keepOffAvoidedNodes(
            AvoidedNodes avoided,
            List<Holding> holdings,
            Map<ApplicationId, JobSnapshot> jobs,
            Map<String, Placed> placements) {
        NodeUse use = new NodeUse();
        jobs.values().forEach(job -> {
            Placed placed = placements.get(job.id());
            if (placed != null) {
                use.add(job, placed.placement());
            }
        });
        for (Holding holding : holdings) {
            JobSnapshot job = jobs.get(holding.application().id());
            Placed placed = job == null ? null : placements.get(job.id());
            if (job != null && placed != null && AvoidedNodes.isBrokenBy(placed.placement(), holding)) {
                use.remove(job, placed.placement());
                Placed elsewhere = avoided.placeAnew(job, holding, use);
                use.add(job, elsewhere.placement());
                placements.put(job.id(), elsewhere);
            }
        }
    }

    private static Proposal proposal(Decided decided, Placed placed) {
        String reason = decided.reason().sentence();
        if (!(placed.reason() instanceof PlacementReason.NothingToPlace)) {
            reason += "; " + placed.reason().sentence();
        }
        return new Proposal(placed.placement(), reason, decided.exploring());
    }

    /** What this queue's jobs shall have on a node beyond what they hold there is not there for the next queue. */
    private static void takeGrowth(
            Map<String, Resources> taken,
            QueueView queue,
            List<Holding> holdings,
            Map<ApplicationId, JobSnapshot> jobs,
            Map<ApplicationId, Proposal> plan) {
        NodeUse growth = new NodeUse();
        for (Holding holding : holdings) {
            JobSnapshot job = jobs.get(holding.application().id());
            Proposal proposal = plan.get(holding.application().id());
            if (job != null && proposal != null) {
                growth.add(job, proposal.planned());
                growth.remove(job, holding.live());
            }
        }
        for (NodeSnapshot node : queue.cluster().nodes()) {
            taken.merge(node.id(), growth.on(node.id()).max(Resources.NONE), Resources::plus);
        }
    }
}
