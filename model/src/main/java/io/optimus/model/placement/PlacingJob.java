package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** One job during a placement pass: its tasks by node until now, already subtracted from the free resources. */
final class PlacingJob {
    private final JobSnapshot job;
    private final Allocation wanted;
    private final TaskSizes sizes;
    private final FreeNodes nodes;
    private final SortedMap<Integer, Allocation> tasks = new TreeMap<>();
    private Allocation given = Allocation.NONE;

    private Allocation kept = Allocation.NONE;
    private Set<Integer> distributedOver = Set.of();
    private PlacementReason reason = new PlacementReason.NothingToPlace();

    PlacingJob(JobSnapshot job, Allocation wanted, ResourceAxes axes, FreeNodes nodes) {
        this.job = job;
        this.wanted = wanted;
        this.sizes = new TaskSizes(job, axes);
        this.nodes = nodes;
    }

    JobSnapshot job() {
        return job;
    }

    /** The resources that its tasks use. */
    TaskSizes sizes() {
        return sizes;
    }

    Allocation wanted() {
        return wanted;
    }

    /** The part of the wanted allocation that the job's minimum covers. */
    Allocation wantedMinimum() {
        return wanted.min(job.minimum());
    }

    /** Nodes where it has got tasks until now, in order. */
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

    /** Keeps running tasks where they are, up to {@code atMost} in all, those on the nodes with most of its tasks first. */
    void keep(Allocation atMost) {
        if (reason.waits()) {
            return;
        }
        for (int node : runningFullestFirst()) {
            Allocation more = running(node).beyond(on(node)).min(atMost.beyond(allocation()));
            // A job that may not shrink keeps its tasks even where a node has lost the room for them.
            Allocation here = job.mayShrink() ? sizes.fitting(more, nodes.room(node)) : more;
            put(node, here);
            kept = kept.plus(here);
        }
        countIfDistributed();
    }

    /** Adds tasks up to {@code upTo}, or as many as have room; the job waits if its minimum has no room. */
    void extend(Allocation upTo) {
        Allocation target = upTo.max(allocation());
        if (isSettledAt(target)) {
            return;
        }
        Optional<FewestNodes.Found> found = new FewestNodes(this, nodes, target).find();
        if (found.isEmpty()) {
            waits();
            return;
        }
        settle(found.get().spots());
        if (found.get().even()) {
            reason = new PlacementReason.EvenSplit(tasks.size());
        } else {
            explain(target, new PlacementReason.UnevenSplit(tasks.size()));
        }
    }

    private void countIfDistributed() {
        nodes.countDistributedJobs(distributedOver, -1);
        distributedOver = tasks.size() > 1 ? Set.copyOf(tasks.keySet()) : Set.of();
        nodes.countDistributedJobs(distributedOver, 1);
    }

    /**
     * Adds tasks like {@link #extend}, but one task after the other goes to the node with the most free of its dominant
     * resource, with the roles in proportion.
     */
    void spread(Allocation upTo) {
        Allocation target = upTo.max(allocation());
        if (isSettledAt(target)) {
            return;
        }
        TaskByTask growth = new TaskByTask(this, nodes);
        if (!growth.addTowards(allocation().max(job.minimum().min(target)))) {
            waits();
            return;
        }
        growth.addTowards(target);
        explain(target, new PlacementReason.MostFree(tasks.size()));
    }

    private boolean isSettledAt(Allocation target) {
        if (target.isNone() || reason.waits()) {
            return true;
        }
        if (target.equals(kept) && target.equals(allocation())) {
            reason = new PlacementReason.Stays(tasks.size());
        }
        return target.equals(allocation());
    }

    /** Gives back all its tasks, to be placed again. */
    void release() {
        tasks.forEach((node, here) -> nodes.giveBack(node, sizes, here));
        tasks.clear();
        given = Allocation.NONE;
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

    private void settle(List<TasksOnNode> spots) {
        spots.forEach(spot -> put(spot.node(), spot.tasks().beyond(on(spot.node()))));
        countIfDistributed();
    }

    /** Adds tasks on a node without checking the room. */
    void put(int node, Allocation more) {
        if (!more.isNone()) {
            nodes.take(node, sizes, more);
            tasks.merge(node, more, Allocation::plus);
            given = given.plus(more);
        }
    }

    /** Tasks that it has got on the node until now. */
    Allocation on(int node) {
        return tasks.getOrDefault(node, Allocation.NONE);
    }

    /** Its tasks that run on the node now. */
    Allocation running(int node) {
        return job.current().on(nodes.id(node));
    }

    /** All tasks that it has got until now. */
    Allocation allocation() {
        return given;
    }

    /** Existing nodes with tasks of the job that run now, those with most tasks first. */
    List<Integer> runningFullestFirst() {
        return job.current().byNode().keySet().stream()
                .map(nodes::index)
                .filter(node -> node >= 0)
                .sorted(Comparator.comparingInt((Integer node) -> -running(node).tasks())
                        .thenComparing(node -> node))
                .toList();
    }
}
