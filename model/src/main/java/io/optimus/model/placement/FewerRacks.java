package io.optimus.model.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Exchanges nodes of a job for as many others that hold the same tasks but lie in fewer racks.
 *
 * <p>Nodes where the job has tasks stay, and their racks come first, then the racks with most nodes for the largest part of the
 * tasks. If that does not save a rack, nothing is exchanged.
 *
 * <p>Example: a job needs two nodes; one node of rack A and then two of rack B are free. The two of rack B are taken.
 */
final class FewerRacks {
    /** Only this many nodes are looked at, in the order of preference: on a large cluster they suffice. */
    static final int MOST_NODES = 256;

    private final FreeNodes nodes;
    private final Set<Integer> fixed;

    /**
     * @param fixed nodes where the job has tasks
     */
    FewerRacks(FreeNodes nodes, Set<Integer> fixed) {
        this.nodes = nodes;
        this.fixed = fixed;
    }

    /**
     * Returns nodes with the same tasks.
     *
     * @param spots the nodes that were found
     * @param others other nodes where the job could go, in the order of preference
     */
    List<TasksOnNode> of(List<TasksOnNode> spots, Supplier<List<TasksOnNode>> others) {
        List<TasksOnNode> used =
                spots.stream().filter(spot -> !spot.tasks().isNone()).toList();
        int racks = racks(used);
        if (racks < 2) {
            return spots;
        }
        return exchanged(used, others.get())
                .filter(found -> racks(found) < racks)
                .orElse(spots);
    }

    private int racks(List<TasksOnNode> spots) {
        return (int)
                spots.stream().map(spot -> nodes.rack(spot.node())).distinct().count();
    }

    private Optional<List<TasksOnNode>> exchanged(List<TasksOnNode> used, List<TasksOnNode> others) {
        List<TasksOnNode> found =
                new ArrayList<>(used.stream().filter(this::isFixed).toList());
        List<TasksOnNode> shares = used.stream()
                .filter(spot -> !isFixed(spot))
                .sorted(Comparator.comparingInt(spot -> -spot.tasks().tasks()))
                .toList();
        if (shares.isEmpty()) {
            return Optional.empty();
        }
        List<TasksOnNode> free = inOrderOfRacks(found, shares, others);
        Set<Integer> taken = found.stream().map(TasksOnNode::node).collect(Collectors.toCollection(HashSet::new));
        for (TasksOnNode share : shares) {
            Optional<TasksOnNode> spot = free.stream()
                    .filter(each -> !taken.contains(each.node()) && each.fits(share.tasks()))
                    .findFirst();
            if (spot.isEmpty()) {
                return Optional.empty();
            }
            TasksOnNode filled = spot.get().copy();
            filled.add(share.tasks());
            taken.add(filled.node());
            found.add(filled);
        }
        return Optional.of(found);
    }

    private boolean isFixed(TasksOnNode spot) {
        return fixed.contains(spot.node());
    }

    private List<TasksOnNode> inOrderOfRacks(
            List<TasksOnNode> fixedSpots, List<TasksOnNode> shares, List<TasksOnNode> others) {
        Map<String, List<TasksOnNode>> byRack = new LinkedHashMap<>();
        for (TasksOnNode spot : others) {
            if (spot.fits(shares.get(0).tasks())) {
                byRack.computeIfAbsent(nodes.rack(spot.node()), rack -> new ArrayList<>())
                        .add(spot);
            }
        }
        Set<String> order = new LinkedHashSet<>();
        fixedSpots.forEach(spot -> order.add(nodes.rack(spot.node())));
        byRack.entrySet().stream()
                .sorted(Comparator.comparingInt(
                        rack -> -Math.min(shares.size(), rack.getValue().size())))
                .forEach(rack -> order.add(rack.getKey()));
        return order.stream()
                .flatMap(rack -> byRack.getOrDefault(rack, List.of()).stream())
                .toList();
    }
}
