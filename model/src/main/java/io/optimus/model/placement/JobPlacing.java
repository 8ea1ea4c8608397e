package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.policy.JobSnapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** One job while a round places it: its tasks by node so far, already taken off the free room. */
final class JobPlacing {
    private final JobSnapshot job;
    private final Allocation wanted;
    private final TaskSizes sizes;
    private final FreeNodes nodes;
    private final SortedMap<Integer, Allocation> tasks = new TreeMap<>();
    private Allocation kept = Allocation.NONE;
    private Set<Integer> distributedOver = Set.of();
    private PlacementReason reason = new PlacementReason.NothingToPlace();

    JobPlacing(JobSnapshot job, Allocation wanted, ResourceAxes axes, FreeNodes nodes) {
        this.job = job;
        this.wanted = wanted;
        this.sizes = new TaskSizes(job, axes);
        this.nodes = nodes;
    }

    JobSnapshot job() {
        return job;
    }

    /** What the policy decided. */
    Allocation wanted() {
        return wanted;
    }

    /** What is wanted, as far as the job's minimum goes. */
    Allocation wantedMinimum() {
        return wanted.min(job.minimum());
    }

    /** Nodes where it was given tasks so far, in order. */
    List<Integer> usedNodes() {
        return List.copyOf(tasks.keySet());
    }

    void explain(PlacementReason why) {
        reason = why;
    }

    Placed placed() {
        Map<String, Allocation> byNode = new HashMap<>();
        tasks.forEach((node, here) -> byNode.put(nodes.id(node), here));
        return new Placed(Placement.of(byNode), reason);
    }

    /** Keeps running tasks where they are, up to {@code atMost} in all, those on the fullest nodes first. */
    void keep(Allocation atMost) {
        if (reason instanceof PlacementReason.Waits) {
            return;
        }
        for (int node : runningFullestFirst()) {
            Allocation more = running(node).beyond(on(node)).min(atMost.beyond(allocation()));
            // What may not shrink keeps its tasks even where its node lost the room for them.
            Allocation here = job.mayShrink() ? sizes.fitting(more, nodes.room(node)) : more;
            put(node, here);
            kept = kept.plus(here);
        }
        countIfDistributed();
    }

    /** Adds tasks up to {@code upTo}, or as many as there is room for; gives all back where the minimum has none. */
    void extend(Allocation upTo) {
        Allocation target = upTo.max(allocation());
        if (isSettledAt(target)) {
            return;
        }
        List<Filling> fillings = fillings(target);
        Optional<List<Spot>> split = tasks.isEmpty()
                ? fillings.stream()
                        .flatMap(filling -> Stream.ofNullable(filling.even(target)))
                        .findFirst()
                : Optional.empty();
        if (split.isPresent()) {
            settle(inFewerRacks(split.get(), target));
            reason = new PlacementReason.EvenSplit(split.get().size());
            return;
        }
        Optional<List<Spot>> filled = fillings.stream()
                .flatMap(filling -> Stream.ofNullable(largestThatFits(filling, target)))
                .max(Comparator.comparingInt(JobPlacing::tasks));
        if (filled.isEmpty()) {
            waits();
            return;
        }
        settle(inFewerRacks(filled.get(), target));
        explain(target, new PlacementReason.UnevenSplit(tasks.size()));
    }

    private static int tasks(List<Spot> spots) {
        return spots.stream().mapToInt(spot -> spot.tasks().tasks()).sum();
    }

    /** Where it could go: to several nodes, or, where few such jobs may share one, to one node alone first. */
    private List<Filling> fillings(Allocation target) {
        List<Filling> fillings = new ArrayList<>();
        if (nodes.limitsDistributedJobs() && tasks.size() < 2) {
            candidates(target, node -> true).all().stream()
                    .limit(tasks.isEmpty() ? Long.MAX_VALUE : 1)
                    .map(JobPlacing::alone)
                    .forEach(fillings::add);
        }
        if (tasks.keySet().stream().allMatch(this::mayShare)) {
            Candidates candidates = candidates(target, this::mayShare);
            fillings.add(new Filling(candidates, forServers(candidates, target)));
        }
        return fillings;
    }

    private static Filling alone(Spot spot) {
        return new Filling(
                new Candidates(() -> List.of(spot).iterator()), new Candidates(() -> Collections.emptyIterator()));
    }

    /** Whether the job may be on this node and on others. */
    private boolean mayShare(int node) {
        return nodes.takesDistributedJob(node) || (tasks.size() > 1 && tasks.containsKey(node));
    }

    private void countIfDistributed() {
        nodes.countDistributedJobs(distributedOver, -1);
        distributedOver = tasks.size() > 1 ? Set.copyOf(tasks.keySet()) : Set.of();
        nodes.countDistributedJobs(distributedOver, 1);
    }

    /**
     * As {@link #extend}, but one task after the other goes to the node where most is free of what the task takes most
     * of, the roles in step with each other.
     */
    void spread(Allocation upTo) {
        Allocation target = upTo.max(allocation());
        if (isSettledAt(target)) {
            return;
        }
        if (!addTowards(allocation().max(job.minimum().min(target)))) {
            waits();
            return;
        }
        addTowards(target);
        explain(target, new PlacementReason.MostFree(tasks.size()));
    }

    private boolean addTowards(Allocation goal) {
        while (!goal.isWithin(allocation())) {
            Role role = furtherFrom(goal);
            int node = nodes.mostFree(sizes, role);
            if (node < 0) {
                return false;
            }
            put(node, Allocation.NONE.plus(role, 1));
        }
        return true;
    }

    /** The role of which the smaller part of {@code goal} is there. */
    private Role furtherFrom(Allocation goal) {
        long workers = (long) allocation().workers() * goal.parameterServers();
        long servers = (long) allocation().parameterServers() * goal.workers();
        boolean all = allocation().workers() >= goal.workers();
        return all || (servers < workers && allocation().parameterServers() < goal.parameterServers())
                ? Role.PARAMETER_SERVER
                : Role.WORKER;
    }

    private boolean isSettledAt(Allocation target) {
        if (target.isNone() || reason instanceof PlacementReason.Waits) {
            return true;
        }
        if (target.equals(kept) && target.equals(allocation())) {
            reason = new PlacementReason.Stays(tasks.size());
        }
        return target.equals(allocation());
    }

    /** Gives back all that it has, to be placed anew. */
    void release() {
        tasks.forEach((node, here) -> nodes.giveBack(node, sizes, here));
        tasks.clear();
        countIfDistributed();
        kept = Allocation.NONE;
    }

    private void waits() {
        release();
        reason = new PlacementReason.Waits(job.minimum());
    }

    private void explain(Allocation target, PlacementReason whole) {
        if (!allocation().equals(target)) {
            reason = new PlacementReason.Shrunk(target, allocation());
        } else {
            reason = kept.isNone() ? whole : new PlacementReason.AddedTo(kept, tasks.size());
        }
    }

    private List<Spot> inFewerRacks(List<Spot> spots, Allocation target) {
        return new FewerRacks(nodes, tasks.keySet()).of(spots, () -> stream(nodes.forWorkers(sizes, target))
                .filter(node -> !tasks.containsKey(node) && mayShare(node))
                .limit(FewerRacks.MOST_NODES)
                .map(this::spot)
                .toList());
    }

    /** Of these nodes, where it is first, then where it ran before, then those with most free capacity that take a worker. */
    private Candidates candidates(Allocation target, IntPredicate which) {
        Set<Integer> own = new LinkedHashSet<>();
        tasks.entrySet().stream()
                .sorted(Comparator.comparingInt(here -> -here.getValue().tasks()))
                .forEach(here -> own.add(here.getKey()));
        own.addAll(runningFullestFirst());
        return new Candidates(() -> Stream.concat(
                        own.stream().filter(which::test),
                        stream(nodes.forWorkers(sizes, target))
                                .filter(which::test)
                                .limit(target.tasks() + own.size())
                                .filter(node -> !own.contains(node)))
                .map(this::spot)
                .iterator());
    }

    /** Nodes that are no candidates, for parameter servers. */
    private Candidates forServers(Candidates candidates, Allocation target) {
        return new Candidates(() -> {
            Set<Integer> seen = new HashSet<>();
            candidates.all().forEach(spot -> seen.add(spot.node()));
            return stream(nodes.forServers(sizes))
                    .filter(this::mayShare)
                    .limit(target.parameterServers() + seen.size())
                    .filter(node -> !seen.contains(node))
                    .map(this::spot)
                    .iterator();
        });
    }

    private static Stream<Integer> stream(Iterator<Integer> nodes) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(nodes, Spliterator.ORDERED), false);
    }

    private Spot spot(int node) {
        return new Spot(node, sizes, nodes.room(node), on(node));
    }

    /**
     * Between the least that it accepts (its minimum, and what it has) and {@code target}, in proportion, the largest
     * that has room; null where the least has none.
     */
    private @Nullable List<Spot> largestThatFits(Filling filling, Allocation target) {
        Allocation least = allocation().max(job.minimum().min(target));
        int steps = target.tasks() - least.tasks();
        List<Spot> whole = fill(filling, target);
        if (whole != null || steps == 0) {
            return whole;
        }
        List<Spot> best = fill(filling, least);
        int fits = 0;
        int fails = steps;
        while (best != null && fails - fits > 1) {
            int middle = (fits + fails) >>> 1;
            List<Spot> tried = fill(filling, between(least, target, middle));
            best = tried != null ? tried : best;
            fits = tried != null ? middle : fits;
            fails = tried != null ? fails : middle;
        }
        return best;
    }

    private @Nullable List<Spot> fill(Filling filling, Allocation size) {
        return filling.fill(size.beyond(allocation()), tasks.size());
    }

    /** {@code least} and {@code step} tasks more, the roles in the proportion in which {@code most} has more of them. */
    private static Allocation between(Allocation least, Allocation most, int step) {
        Allocation range = most.beyond(least);
        int workers = Math.round((float) range.workers() * step / range.tasks());
        int servers = Math.min(step - workers, range.parameterServers());
        return least.plus(new Allocation(servers, workers));
    }

    private void settle(List<Spot> spots) {
        spots.forEach(spot -> put(spot.node(), spot.tasks().beyond(on(spot.node()))));
        countIfDistributed();
    }

    /** Adds tasks on a node, whether there is room or not. */
    void put(int node, Allocation more) {
        if (!more.isNone()) {
            nodes.take(node, sizes, more);
            tasks.merge(node, more, Allocation::plus);
        }
    }

    /** Tasks that it was given on the node so far. */
    Allocation on(int node) {
        return tasks.getOrDefault(node, Allocation.NONE);
    }

    /** Tasks that run on the node. */
    Allocation running(int node) {
        return job.current().on(nodes.id(node));
    }

    /** All that it was given so far. */
    Allocation allocation() {
        return tasks.values().stream().reduce(Allocation.NONE, Allocation::plus);
    }

    /** Nodes that are still there. */
    List<Integer> runningFullestFirst() {
        return job.current().byNode().keySet().stream()
                .map(nodes::index)
                .filter(node -> node >= 0)
                .sorted(Comparator.comparingInt((Integer node) -> -running(node).tasks())
                        .thenComparing(node -> node))
                .toList();
    }
}
