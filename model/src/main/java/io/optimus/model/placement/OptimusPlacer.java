package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.placement.NodeRooms.NodeRoom;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.JobSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Optimus's placement (section 4.2). The theorem: on equal servers a synchronous job with given tasks is fastest on the
 * fewest servers that hold it, with equal numbers of parameter servers and of workers on each. Hence, for jobs in order
 * of their tasks, fewest first: nodes by free capacity, largest first; the smallest k whose first k nodes hold an even
 * split. A job that fits nowhere whole takes what fits, at least its minimum, or waits.
 *
 * <p>For example, 2 ps + 4 workers of one GPU each on empty nodes of 4 GPUs (ps need none): one node holds all. On nodes
 * with 3 GPUs: two nodes, 1 ps + 2 workers on each.
 *
 * <p>Running tasks cannot move: a moved task is one that leaves and one that joins. So those that the decision keeps
 * stay where they are; a shrink takes the tasks of the nodes with the fewest first, and a growth fills the nodes that
 * the job is on before it opens others.
 */
public final class OptimusPlacer implements Placer {
    private static final List<Role> ROLES = List.of(Role.PARAMETER_SERVER, Role.WORKER);
    private static final Allocation ONE_WORKER = new Allocation(0, 1);
    private static final Comparator<JobSnapshot> BY_SUBMIT =
            Comparator.comparingLong(JobSnapshot::submitMillis).thenComparing(JobSnapshot::id);

    @Override
    public SortedMap<String, Placement> place(
            ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        NodeRooms rooms = new NodeRooms(cluster);
        Map<String, SortedMap<String, Allocation>> placed = new HashMap<>();
        List<JobSnapshot> decided = jobs.stream()
                .filter(job -> decision.byJob().containsKey(job.id()))
                .toList();
        List<JobSnapshot> fixedFirst = decided.stream()
                .sorted(Comparator.comparing(JobSnapshot::mayShrink).thenComparing(BY_SUBMIT))
                .toList();
        for (JobSnapshot job : fixedFirst) {
            placed.put(job.id(), keep(rooms, job, wanted(decision, job)));
        }
        List<JobSnapshot> fewestTasksFirst = decided.stream()
                .sorted(Comparator.comparingInt(
                                (JobSnapshot job) -> wanted(decision, job).tasks())
                        .thenComparing(BY_SUBMIT))
                .toList();
        for (JobSnapshot job : fewestTasksFirst) {
            complete(rooms, job, wanted(decision, job), placed.getOrDefault(job.id(), new TreeMap<>()));
        }
        SortedMap<String, Placement> placements = new TreeMap<>();
        placed.forEach((id, byNode) -> placements.put(id, new Placement(byNode)));
        return placements;
    }

    private static Allocation wanted(AllocationDecision decision, JobSnapshot job) {
        AllocationDecision.Decided decided = decision.byJob().get(job.id());
        return decided == null ? Allocation.NONE : decided.allocation();
    }

    /** The running tasks that stay, where they are. */
    private static SortedMap<String, Allocation> keep(NodeRooms rooms, JobSnapshot job, Allocation wanted) {
        TaskSizes sizes = rooms.sizesOf(job);
        SortedMap<String, Allocation> kept = new TreeMap<>();
        Allocation left = wanted;
        for (String node : mostTasksFirst(job.current())) {
            Allocation here = rooms.fitting(node, sizes, min(job.current().on(node), left));
            if (!here.isNone()) {
                rooms.take(node, sizes, here);
                kept.put(node, here);
                left = minus(left, here);
            }
        }
        return kept;
    }

    private static List<String> mostTasksFirst(Placement placement) {
        return placement.byNode().keySet().stream()
                .sorted(Comparator.comparingInt(
                                (String node) -> -placement.on(node).tasks())
                        .thenComparing(node -> node))
                .toList();
    }

    /** Adds what is missing; gives a job that would stay under its minimum nothing at all. */
    private static void complete(
            NodeRooms rooms, JobSnapshot job, Allocation wanted, SortedMap<String, Allocation> placed) {
        TaskSizes sizes = rooms.sizesOf(job);
        Allocation missing = minus(wanted, sum(placed));
        if (missing.isNone()) {
            return;
        }
        if (!placed.isEmpty() || !evenly(rooms, sizes, wanted, placed)) {
            addWhereItFits(rooms, sizes, missing, placed, job.minimum());
        }
        if (!job.minimum().isWithin(sum(placed))) {
            placed.forEach((node, tasks) -> rooms.giveBack(node, sizes, tasks));
            placed.clear();
        }
    }

    /** The theorem; false where no number of nodes holds an even split. */
    private static boolean evenly(
            NodeRooms rooms, TaskSizes sizes, Allocation wanted, SortedMap<String, Allocation> placed) {
        List<NodeRoom> first = new ArrayList<>();
        for (NodeRoom node : rooms.emptiestFirst()) {
            if (!node.holds(sizes, ONE_WORKER)) {
                continue;
            }
            first.add(node);
            if (holdsEvenSplit(first, sizes, wanted)) {
                for (int i = 0; i < first.size(); i++) {
                    placed.put(first.get(i).id, share(wanted, first.size(), i));
                }
                placed.forEach((id, tasks) -> rooms.take(id, sizes, tasks));
                return true;
            }
            if (first.size() >= wanted.tasks()) {
                return false;
            }
        }
        return false;
    }

    private static boolean holdsEvenSplit(List<NodeRoom> nodes, TaskSizes sizes, Allocation wanted) {
        for (int i = 0; i < nodes.size(); i++) {
            if (!nodes.get(i).holds(sizes, share(wanted, nodes.size(), i))) {
                return false;
            }
        }
        return true;
    }

    /** Part {@code i} of {@code of} parts; what does not divide goes, role by role, to the first and to the last. */
    private static Allocation share(Allocation whole, int of, int i) {
        int servers = whole.parameterServers() / of + (i < whole.parameterServers() % of ? 1 : 0);
        int workers = whole.workers() / of + (of - 1 - i < whole.workers() % of ? 1 : 0);
        return new Allocation(servers, workers);
    }

    /**
     * What fits: first what the minimum lacks, then the rest; on nodes that the job is on, then on the emptiest ones.
     */
    private static void addWhereItFits(
            NodeRooms rooms,
            TaskSizes sizes,
            Allocation missing,
            SortedMap<String, Allocation> placed,
            Allocation minimum) {
        Allocation first = min(missing, minus(minimum, min(minimum, sum(placed))));
        Allocation added = add(rooms, sizes, first, placed);
        if (added.equals(first)) {
            add(rooms, sizes, minus(missing, first), placed);
        }
    }

    private static Allocation add(
            NodeRooms rooms, TaskSizes sizes, Allocation wanted, SortedMap<String, Allocation> placed) {
        Allocation left = wanted;
        for (String node : candidates(rooms, sizes, placed, left)) {
            Allocation here = rooms.fitting(node, sizes, left);
            if (!here.isNone()) {
                rooms.take(node, sizes, here);
                placed.merge(node, here, Allocation::plus);
                left = minus(left, here);
            }
        }
        return minus(wanted, left);
    }

    /** Nodes that the job is on, then as many of the emptiest as tasks could need. */
    private static Set<String> candidates(
            NodeRooms rooms, TaskSizes sizes, SortedMap<String, Allocation> placed, Allocation wanted) {
        Set<String> nodes = new LinkedHashSet<>(placed.keySet());
        for (Role role : ROLES) {
            int needed = wanted.count(role) > 0 ? wanted.tasks() : 0;
            for (NodeRoom node : rooms.emptiestFirst()) {
                if (needed <= 0) {
                    break;
                }
                int fits =
                        node.fitting(sizes, Allocation.NONE.plus(role, needed)).tasks();
                if (fits > 0) {
                    nodes.add(node.id);
                    needed -= 1;
                }
            }
        }
        return nodes;
    }

    private static Allocation sum(SortedMap<String, Allocation> byNode) {
        return byNode.values().stream().reduce(Allocation.NONE, Allocation::plus);
    }

    private static Allocation min(Allocation a, Allocation b) {
        return new Allocation(Math.min(a.parameterServers(), b.parameterServers()), Math.min(a.workers(), b.workers()));
    }

    private static Allocation minus(Allocation a, Allocation b) {
        return new Allocation(
                Math.max(0, a.parameterServers() - b.parameterServers()), Math.max(0, a.workers() - b.workers()));
    }
}
