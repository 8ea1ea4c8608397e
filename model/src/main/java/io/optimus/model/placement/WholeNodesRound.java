package io.optimus.model.placement;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.policy.AllocationDecision;
import io.optimus.model.policy.JobSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One pass of {@link WholeNodesPlacer} over all jobs; used once. */
final class WholeNodesRound {
    private static final Comparator<Packing> LARGEST_FIRST = Comparator.comparingInt(
                    (Packing job) -> -job.wanted().tasks())
            .thenComparingLong(job -> job.job().submitMillis())
            .thenComparing(job -> job.job().id());

    private static final Comparator<Packing> CHEAPEST_FIRST =
            Comparator.comparingDouble(Packing::movingCost).thenComparing(LARGEST_FIRST);

    private static final Comparator<Eviction> CHEAPEST_EVICTION =
            Comparator.comparingDouble(Eviction::cost).thenComparing(Eviction::node);

    private final boolean movesOthers;
    private final FreeNodes nodes;
    private final List<Packing> jobs;
    private final TreeSet<Packing> open = new TreeSet<>(LARGEST_FIRST);
    private final Set<Packing> spread = new HashSet<>();

    /** Jobs that are on one node only and may be moved, by that node. */
    private final Map<Integer, List<Packing>> movable = new HashMap<>();

    /** Smaller jobs that would leave one node, and what that costs. */
    private record Eviction(int node, List<Packing> jobs, double cost) {
        static Eviction of(int node, List<Packing> jobs) {
            return new Eviction(
                    node, jobs, jobs.stream().mapToDouble(Packing::movingCost).sum());
        }
    }

    WholeNodesRound(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision, boolean movesOthers) {
        this.movesOthers = movesOthers;
        ResourceAxes axes = ResourceAxes.of(
                cluster,
                jobs.stream()
                        .flatMap(job -> Stream.of(
                                job.parameterServers().task(), job.workers().task())));
        this.nodes = new FreeNodes(cluster, axes);
        this.jobs = jobs.stream()
                .map(job -> new Packing(
                        new JobPlacing(job, PlacingRound.wanted(job, decision), axes, nodes),
                        new TaskSizes(job, axes),
                        nodes))
                .sorted(LARGEST_FIRST)
                .toList();
    }

    void place() {
        jobs.stream().filter(job -> !job.job().mayShrink()).forEach(Packing::keep);
        for (Packing job : jobs) {
            if (job.job().mayShrink() && job.stay()) {
                noteMovable(job);
            } else if (!job.wanted().isNone()) {
                open.add(job);
            }
        }
        while (!open.isEmpty()) {
            put(open.first());
        }
    }

    PlacementDecision decision() {
        TreeMap<String, Placed> placed = new TreeMap<>();
        jobs.forEach(job -> placed.put(job.job().id(), job.placing().placed()));
        return new PlacementDecision(placed);
    }

    /** Jobs that got nothing of what was decided. */
    long waiting() {
        return jobs.stream().filter(WholeNodesRound::waits).count();
    }

    /** Tasks for which there was no room, of jobs that do not wait. */
    long leftOut() {
        return jobs.stream()
                .filter(job -> !waits(job))
                .mapToLong(
                        job -> job.wanted().beyond(job.placing().allocation()).tasks())
                .sum();
    }

    /** Jobs that had to go where there was room. */
    long spread() {
        return spread.size();
    }

    private static boolean waits(Packing job) {
        return !job.wanted().isNone() && job.placing().allocation().isNone();
    }

    private void put(Packing job) {
        open.remove(job);
        boolean put = job.job().mayShrink()
                && (job.putTogether() || job.putOnWholeNodes() || (movesOthers && putWhereOthersLeave(job)));
        if (!put) {
            job.putAnywhere();
        }
        if (put || !job.job().mayShrink()) {
            spread.remove(job);
        } else {
            spread.add(job);
        }
        noteMovable(job);
    }

    /** Every job that leaves is smaller than this one, and its turn comes again. */
    private boolean putWhereOthersLeave(Packing job) {
        List<Eviction> fromOne = new ArrayList<>();
        movable.forEach((node, here) -> evictSome(node, job, here, fromOne));
        if (!fromOne.isEmpty()) {
            evict(fromOne.stream().min(CHEAPEST_EVICTION).orElseThrow());
            return job.putTogether();
        }
        Map<Integer, Eviction> whole = new HashMap<>();
        IntStream.range(0, nodes.count()).forEach(node -> evictAll(node, job, whole));
        List<Spot> split =
                job.evenly(whole.values().stream().sorted(CHEAPEST_EVICTION).map(Eviction::node));
        if (split != null) {
            split.forEach(spot -> evict(whole.getOrDefault(spot.node(), Eviction.of(spot.node(), List.of()))));
            job.put(split);
        }
        return split != null;
    }

    /** The cheapest first, until there is room for all of {@code job}. */
    private void evictSome(int node, Packing job, List<Packing> here, List<Eviction> found) {
        long[] room = nodes.room(node);
        List<Packing> leaving = new ArrayList<>();
        for (Packing other : here.stream().sorted(CHEAPEST_FIRST).toList()) {
            if (other.yieldsTo(job)) {
                leaving.add(other);
                other.addTo(room, node);
                if (job.fits(room)) {
                    found.add(Eviction.of(node, leaving));
                    return;
                }
            }
        }
    }

    /** All of a node, where all on it are smaller and movable. */
    private void evictAll(int node, Packing job, Map<Integer, Eviction> found) {
        long[] room = nodes.room(node);
        List<Packing> leaving = movable.getOrDefault(node, List.of()).stream()
                .filter(other -> other.yieldsTo(job))
                .toList();
        leaving.forEach(other -> other.addTo(room, node));
        if (Arrays.equals(room, nodes.whole(node))) {
            found.put(node, Eviction.of(node, leaving));
        }
    }

    private void evict(Eviction eviction) {
        List<Packing> staying = new ArrayList<>(movable.getOrDefault(eviction.node(), List.of()));
        staying.removeAll(eviction.jobs());
        movable.put(eviction.node(), staying);
        eviction.jobs().forEach(job -> job.placing().release());
        open.addAll(eviction.jobs());
    }

    private void noteMovable(Packing job) {
        int node = job.onlyNode();
        if (movesOthers && node >= 0 && job.job().mayShrink()) {
            movable.computeIfAbsent(node, n -> new ArrayList<>()).add(job);
        }
    }
}
