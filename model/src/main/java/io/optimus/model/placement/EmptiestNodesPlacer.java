package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.Precedence;
import io.optimus.model.placement.PlacementDecision.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Fills the emptiest nodes, one after the other. Jobs whose size does not change stay where they are.
 *
 * <p>The other jobs leave their nodes and come in a given order: a job fills the node with most room for it, then the next,
 * workers before parameter servers. A job that does not fit whole gets what fits, or waits if that is less than its minimum.
 * The baselines that Pollux was compared with were placed in this way (Qiao et al., OSDI 2021, the artifact's simulator).
 *
 * <p>Example: nodes with 4, 3 and 2 free GPUs, a job of 6 workers: 4 on the first and 2 on the second.
 */
public final class EmptiestNodesPlacer implements Placer {
    private static final List<Role> ORDER = List.of(Role.WORKER, Role.PARAMETER_SERVER);

    private final Function<AllocationDecision, Comparator<JobSnapshot>> order;

    private EmptiestNodesPlacer(Function<AllocationDecision, Comparator<JobSnapshot>> order) {
        this.order = order;
    }

    /** Places jobs in ascending order of their tasks, then by age. */
    public static EmptiestNodesPlacer fewestTasksFirst() {
        return new EmptiestNodesPlacer(decision -> Comparator.comparingInt(
                        (JobSnapshot job) -> wanted(job, decision).tasks())
                .thenComparing(Precedence.BY_AGE));
    }

    /** Places jobs in {@code order}, such as that of their policy. */
    public static EmptiestNodesPlacer inOrder(Comparator<JobSnapshot> order) {
        return new EmptiestNodesPlacer(decision -> order);
    }

    @Override
    public String name() {
        return "emptiest-nodes";
    }

    @Override
    public PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        ResourceAxes axes = ResourceAxes.of(
                cluster,
                jobs.stream()
                        .flatMap(job -> Stream.of(
                                job.demand().parameterServers().task(),
                                job.demand().workers().task())));
        FreeNodes nodes = new FreeNodes(cluster, axes);
        TreeMap<String, Placed> placed = new TreeMap<>();
        List<JobSnapshot> others = new ArrayList<>();
        for (JobSnapshot job : jobs.stream().sorted(byRightToStay()).toList()) {
            if (stays(job, wanted(job, decision), new TaskSizes(job, axes), nodes)) {
                placed.put(job.id(), staying(onKnownNodes(job, nodes)));
            } else {
                others.add(job);
            }
        }
        Map<String, Placement> pinned = new HashMap<>();
        for (JobSnapshot job : others) {
            if (!job.mayShrink() && !wanted(job, decision).isNone()) {
                pinned.put(job.id(), pin(onKnownNodes(job, nodes), new TaskSizes(job, axes), nodes));
            }
        }
        others.sort(order.apply(decision));
        for (JobSnapshot job : others) {
            Placement there = pinned.getOrDefault(job.id(), Placement.NONE);
            placed.put(job.id(), fill(job, there, wanted(job, decision), new TaskSizes(job, axes), nodes));
        }
        return new PlacementDecision(placed);
    }

    private static Comparator<JobSnapshot> byRightToStay() {
        return Comparator.comparing(JobSnapshot::mayShrink).thenComparing(Precedence.BY_AGE);
    }

    private static Allocation wanted(JobSnapshot job, AllocationDecision decision) {
        return decision.job(job.id()).allocation();
    }

    /** Keeps the job where it is if its size does not change and its nodes have the room; returns whether it stays. */
    private static boolean stays(JobSnapshot job, Allocation wanted, TaskSizes sizes, FreeNodes nodes) {
        Placement there = onKnownNodes(job, nodes);
        if (wanted.isNone() || !wanted.equals(there.allocation())) {
            return false;
        }
        boolean hasRoom = !job.mayShrink()
                || there.byNode().entrySet().stream()
                        .allMatch(held -> sizes.fitting(held.getValue(), nodes.room(nodes.index(held.getKey())))
                                .equals(held.getValue()));
        if (hasRoom) {
            pin(there, sizes, nodes);
        }
        return hasRoom;
    }

    private static Placement pin(Placement there, TaskSizes sizes, FreeNodes nodes) {
        there.byNode().forEach((id, tasks) -> nodes.take(nodes.index(id), sizes, tasks));
        return there;
    }

    /** The tasks of the job on nodes that still exist. */
    private static Placement onKnownNodes(JobSnapshot job, FreeNodes nodes) {
        return job.current().within(id -> nodes.index(id) >= 0);
    }

    private static Placed staying(Placement there) {
        return new Placed(there, new PlacementReason.Stays(there.byNode().size()));
    }

    /** Adds what is missing to the tasks that stay {@code there}, whose room is taken. */
    private static Placed fill(JobSnapshot job, Placement there, Allocation wanted, TaskSizes sizes, FreeNodes nodes) {
        TreeMap<String, Allocation> byNode = new TreeMap<>(there.byNode());
        Allocation more = wanted.beyond(there.allocation());
        for (Role role : ORDER) {
            fill(role, more.count(role), sizes, nodes, byNode);
        }
        Placement placement = Placement.of(byNode);
        if (wanted.isNone()) {
            return new Placed(Placement.NONE, new PlacementReason.NothingToPlace());
        }
        if (there.allocation().isNone() && !job.minimum().isWithin(placement.allocation())) {
            byNode.forEach((id, tasks) -> nodes.giveBack(nodes.index(id), sizes, tasks));
            return new Placed(Placement.NONE, new PlacementReason.Waits(job.minimum()));
        }
        PlacementReason reason = placement.allocation().equals(wanted)
                ? new PlacementReason.Emptiest(byNode.size())
                : new PlacementReason.Shrunk(wanted, placement.allocation());
        return new Placed(placement, reason);
    }

    private static void fill(Role role, int count, TaskSizes sizes, FreeNodes nodes, Map<String, Allocation> byNode) {
        int left = count;
        while (left > 0) {
            int node = nodes.mostFree(sizes, role);
            if (node < 0) {
                return;
            }
            int here = sizes.times(role, nodes.room(node), left);
            Allocation tasks = Allocation.NONE.plus(role, here);
            nodes.take(node, sizes, tasks);
            byNode.merge(nodes.id(node), tasks, Allocation::plus);
            left -= here;
        }
    }
}
