package io.optimus.model.placement;

import io.optimus.model.Allocation;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobSnapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One job while {@link WholeNodesPass} places it, either on one node or on nodes of its own. */
final class WholeNodesJob {
    private final PlacingJob placing;
    private final TaskSizes sizes;
    private final FreeNodes nodes;

    WholeNodesJob(PlacingJob placing, TaskSizes sizes, FreeNodes nodes) {
        this.placing = placing;
        this.sizes = sizes;
        this.nodes = nodes;
    }

    JobSnapshot job() {
        return placing.job();
    }

    Allocation wanted() {
        return placing.wanted();
    }

    /** The tasks that it has got until now. */
    PlacingJob placing() {
        return placing;
    }

    /** Whether it has no parameter servers, which would leave GPUs of whole nodes unused. */
    boolean hasWorkersOnly() {
        return job().demand().parameterServers().max() == 0;
    }

    /** Keeps the running tasks that are still wanted. */
    void keep() {
        placing.keep(wanted());
    }

    /** Keeps all tasks where they run if its size does not change and there is room; returns whether it stays. */
    boolean stay() {
        List<Integer> running = placing.runningFullestFirst();
        Allocation inAll = running.stream().map(placing::running).reduce(Allocation.NONE, Allocation::plus);
        boolean stays = !inAll.isNone()
                && inAll.equals(wanted())
                && running.stream().allMatch(node -> fits(placing.running(node), nodes.room(node)));
        if (stays) {
            running.forEach(node -> placing.put(node, placing.running(node)));
            placing.explain(new PlacementReason.Stays(running.size()));
        }
        return stays;
    }

    /** Puts all tasks on one node: its own, or the one that is left with least room; returns whether there is one. */
    boolean putTogether() {
        int own = placing.runningFullestFirst().stream()
                .filter(node -> fits(nodes.room(node)))
                .findFirst()
                .orElse(-1);
        int node = own >= 0 ? own : nodes.tightest(sizes, wanted());
        if (node >= 0) {
            put(List.of(new TasksOnNode(node, sizes, nodes.room(node), wanted())));
        }
        return node >= 0;
    }

    /** Splits the tasks evenly over the fewest empty nodes; returns whether there are enough. */
    boolean putOnWholeNodes() {
        List<TasksOnNode> split = evenly(wholeNodes().stream());
        if (split != null) {
            Set<Integer> own = Set.copyOf(placing.runningFullestFirst());
            put(new FewerRacks(nodes, own).of(split, this::mostWholeNodes));
        }
        return split != null;
    }

    private List<TasksOnNode> mostWholeNodes() {
        List<TasksOnNode> spots = new ArrayList<>();
        Iterator<Integer> whole = nodes.whole(sizes, wanted());
        while (whole.hasNext() && spots.size() < FewerRacks.MOST_NODES) {
            int node = whole.next();
            spots.add(new TasksOnNode(node, sizes, nodes.whole(node), Allocation.NONE));
        }
        return spots;
    }

    /** Empty nodes, at most as many as it has tasks: its own first, then the largest. */
    Set<Integer> wholeNodes() {
        Set<Integer> whole = new LinkedHashSet<>(placing.runningFullestFirst());
        whole.removeIf(node -> !nodes.isWhole(node));
        Iterator<Integer> others = nodes.whole(sizes, wanted());
        while (others.hasNext() && whole.size() < wanted().tasks()) {
            whole.add(others.next());
        }
        return whole;
    }

    /** An even split over the fewest first of these nodes, as if they were empty; null if they do not hold it. */
    @Nullable
    List<TasksOnNode> evenly(Stream<Integer> candidates) {
        CandidateNodes spots = new CandidateNodes(() -> candidates
                .map(node -> new TasksOnNode(node, sizes, nodes.whole(node), Allocation.NONE))
                .iterator());
        return new SplitSearch(spots, new CandidateNodes(() -> Stream.<TasksOnNode>empty()
                        .iterator()))
                .even(wanted());
    }

    void put(List<TasksOnNode> spots) {
        spots.forEach(spot -> placing.put(spot.node(), spot.tasks()));
        placing.explain(new PlacementReason.EvenSplit(spots.size()));
    }

    /** Puts the tasks wherever there is room. Running tasks stay, so that a job which never fits well does not move in each round. */
    void putAnywhere() {
        placing.keep(wanted());
        placing.extend(wanted());
    }

    boolean fits(long[] room) {
        return fits(wanted(), room);
    }

    private boolean fits(Allocation tasks, long[] room) {
        return sizes.fitting(tasks, room).equals(tasks);
    }

    /** Adds the resources that it uses on a node to {@code room}. */
    void addTo(long[] room, int node) {
        sizes.giveBack(placing.on(node), room);
    }

    /** The only node that it is on; -1 if it is on several or none. */
    int onlyNode() {
        List<Integer> used = placing.usedNodes();
        return used.size() == 1 ? used.get(0) : -1;
    }

    /** Whether it may be moved to make room for {@code other}, which is larger. */
    boolean yieldsTo(WholeNodesJob other) {
        return wanted().tasks() < other.wanted().tasks();
    }

    /** The cost of moving it, in worker-seconds of lost training; 0 if it does not run on its nodes yet. */
    double movingCost() {
        boolean runsThere = placing.usedNodes().stream()
                .anyMatch(node -> !placing.running(node).isNone());
        return runsThere ? job().state().resizeCostSeconds() * wanted().workers() : 0;
    }
}
