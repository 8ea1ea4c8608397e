package io.optimus.model.placement;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.placement.PlacementDecision.Placed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One pass of {@link WholeNodesPlacer} over all jobs; it can be used once. */
final class WholeNodesPass {
    static final Comparator<WholeNodesJob> LARGEST_FIRST = Comparator.comparingInt(
                    (WholeNodesJob job) -> -job.wanted().tasks())
            .thenComparingLong(job -> job.job().submitMillis())
            .thenComparing(job -> job.job().id());

    static final Comparator<WholeNodesJob> RUNNING_FIRST =
            Comparator.comparing((WholeNodesJob job) -> !job.job().isRunning()).thenComparing(LARGEST_FIRST);

    private static final Comparator<WholeNodesJob> CHEAPEST_FIRST =
            Comparator.comparingDouble(WholeNodesJob::movingCost).thenComparing(LARGEST_FIRST);

    private static final Comparator<Eviction> CHEAPEST_EVICTION =
            Comparator.comparingDouble(Eviction::cost).thenComparing(Eviction::node);

    /** Only this many nodes are searched for jobs that could make room for another one: on a large cluster they suffice. */
    private static final int MOST_NODES = 256;

    private final FreeNodes nodes;
    private final List<WholeNodesJob> jobs;
    private final TreeSet<WholeNodesJob> open;
    private final Set<WholeNodesJob> spread = new HashSet<>();

    /** Jobs on a single node that may be moved, by that node. */
    private final SortedMap<Integer, List<WholeNodesJob>> movable = new TreeMap<>();

    /** The number of jobs for which others may still be moved. */
    private int moves;

    /** Smaller jobs that would leave a node, and the cost of that. */
    private record Eviction(int node, List<WholeNodesJob> jobs, double cost) {
        static Eviction of(int node, List<WholeNodesJob> jobs) {
            return new Eviction(
                    node,
                    jobs,
                    jobs.stream().mapToDouble(WholeNodesJob::movingCost).sum());
        }
    }

    /**
     * A pass over all jobs.
     *
     * @param order the order in which jobs are placed
     * @param moves the number of jobs for which others may be moved, 0 or more
     */
    WholeNodesPass(
            ClusterSnapshot cluster,
            List<JobSnapshot> jobs,
            AllocationDecision decision,
            Comparator<WholeNodesJob> order,
            int moves) {
        this.moves = moves;
        this.open = new TreeSet<>(order);
        ResourceAxes axes = ResourceAxes.of(
                cluster,
                jobs.stream()
                        .flatMap(job -> Stream.of(
                                job.demand().parameterServers().task(),
                                job.demand().workers().task())));
        this.nodes = new FreeNodes(cluster, axes);
        this.jobs = jobs.stream()
                .map(job -> new WholeNodesJob(
                        new PlacingJob(job, PlacementPass.wanted(job, decision), axes, nodes),
                        new TaskSizes(job, axes),
                        nodes))
                .sorted(order)
                .toList();
    }

    void place() {
        jobs.stream().filter(job -> !job.job().mayShrink()).forEach(WholeNodesJob::keep);
        for (WholeNodesJob job : jobs) {
            if (job.job().mayShrink() && job.stay()) {
                noteMovable(job);
            } else if (!job.wanted().isNone()) {
                open.add(job);
            }
        }
        // Their running tasks do not move, so that no other job may grow into the room of these.
        open.stream().filter(job -> !job.hasWorkersOnly()).forEach(WholeNodesJob::keep);
        while (!open.isEmpty()) {
            InterruptedComputationException.check();
            put(open.first());
        }
    }

    PlacementDecision decision() {
        TreeMap<String, Placed> placed = new TreeMap<>();
        jobs.forEach(job -> placed.put(job.job().id(), job.placing().placed()));
        return new PlacementDecision(placed);
    }

    /** The number of running jobs among those that {@link #waiting} counts. */
    long stopped() {
        return jobs.stream().filter(job -> waits(job) && job.job().isRunning()).count();
    }

    /** The number of jobs that got none of their decided tasks. */
    long waiting() {
        return jobs.stream().filter(WholeNodesPass::waits).count();
    }

    /** The number of decided tasks without room among the jobs that do not wait. */
    long leftOut() {
        return jobs.stream()
                .filter(job -> !waits(job))
                .mapToLong(
                        job -> job.wanted().beyond(job.placing().allocation()).tasks())
                .sum();
    }

    /** The number of jobs that are neither on one node nor on nodes of their own. */
    long spread() {
        return spread.size();
    }

    private static boolean waits(WholeNodesJob job) {
        return !job.wanted().isNone() && job.placing().allocation().isNone();
    }

    private void put(WholeNodesJob job) {
        open.remove(job);
        boolean put = job.job().mayShrink()
                && job.hasWorkersOnly()
                && (job.putTogether() || job.putOnWholeNodes() || (moves > 0 && putWhereOthersLeave(job)));
        if (!put) {
            job.putAnywhere();
        }
        if (put || !job.job().mayShrink() || !job.hasWorkersOnly()) {
            spread.remove(job);
        } else {
            spread.add(job);
        }
        noteMovable(job);
    }

    /** Moves smaller jobs out of the way, which are then placed again. */
    private boolean putWhereOthersLeave(WholeNodesJob job) {
        moves--;
        Optional<Eviction> one = movable.keySet().stream()
                .limit(MOST_NODES)
                .flatMap(node -> evictSome(node, job).stream())
                .min(CHEAPEST_EVICTION);
        one.ifPresent(this::evict);
        return one.isPresent() ? job.putTogether() : putOnEmptied(job);
    }

    private boolean putOnEmptied(WholeNodesJob job) {
        Map<Integer, Eviction> whole = new HashMap<>();
        Stream.concat(job.wholeNodes().stream(), movable.keySet().stream().limit(MOST_NODES))
                .forEach(node -> evictAll(node, job).ifPresent(eviction -> whole.put(node, eviction)));
        List<TasksOnNode> split =
                job.evenly(whole.values().stream().sorted(CHEAPEST_EVICTION).map(Eviction::node));
        if (split != null) {
            split.forEach(spot -> evict(whole.getOrDefault(spot.node(), Eviction.of(spot.node(), List.of()))));
            job.put(split);
        }
        return split != null;
    }

    /** The cheapest jobs that must leave the node so that {@code job} fits; empty if it never does. */
    private Optional<Eviction> evictSome(int node, WholeNodesJob job) {
        long[] room = nodes.room(node);
        List<WholeNodesJob> leaving = new ArrayList<>();
        for (WholeNodesJob other : yieldingOn(node, job)) {
            leaving.add(other);
            other.addTo(room, node);
            if (job.fits(room)) {
                return Optional.of(Eviction.of(node, leaving));
            }
        }
        return Optional.empty();
    }

    /** The eviction of all jobs of a node; empty if one of them is too large or may not be moved. */
    private Optional<Eviction> evictAll(int node, WholeNodesJob job) {
        long[] room = nodes.room(node);
        List<WholeNodesJob> leaving = yieldingOn(node, job);
        leaving.forEach(other -> other.addTo(room, node));
        return Arrays.equals(room, nodes.whole(node)) ? Optional.of(Eviction.of(node, leaving)) : Optional.empty();
    }

    private List<WholeNodesJob> yieldingOn(int node, WholeNodesJob job) {
        return movable.getOrDefault(node, List.of()).stream()
                .filter(other -> other.yieldsTo(job))
                .sorted(CHEAPEST_FIRST)
                .toList();
    }

    private void evict(Eviction eviction) {
        List<WholeNodesJob> staying = new ArrayList<>(movable.getOrDefault(eviction.node(), List.of()));
        staying.removeAll(eviction.jobs());
        movable.put(eviction.node(), staying);
        if (staying.isEmpty()) {
            movable.remove(eviction.node());
        }
        eviction.jobs().forEach(job -> job.placing().release());
        open.addAll(eviction.jobs());
    }

    private void noteMovable(WholeNodesJob job) {
        int node = job.onlyNode();
        if (node >= 0 && job.job().mayShrink()) {
            movable.computeIfAbsent(node, n -> new ArrayList<>()).add(job);
        }
    }
}
