package io.optimus.am.wire;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How parameter servers update a model: the optimizer, and what a push of each float means.
 *
 * <p>Example: a layer of 4 floats in group 0, one of 2 in group 1, and a statistic of 3 floats make three parts, (parameter,
 * 0): [0,4), (parameter, 1): [4,6), (statistic, 0): [6,9).
 *
 * @param optimizer applies the gradients; servers only average them for a program's own
 * @param groups the number of parameter groups, 1 or more; a push may bring a learning rate and a weight decay for each
 * @param parts one for each kind and group; together all floats of the model
 */
public record Updates(Optimizer optimizer, int groups, List<Part> parts) {
    /** Updates of a model without parameters. */
    public static final Updates NONE = new Updates(new Optimizer.Sgd(1, 0, 0), 1, List.of());

    /** The floats of the flat vector that have one kind and belong to one parameter group. */
    public record Part(Kind kind, int group, Ranges ranges) {}

    /** Copies; throws if a part belongs to a group that does not exist. */
    public Updates {
        parts = List.copyOf(parts);
        for (Part part : parts) {
            if (part.group() >= groups) {
                throw new IllegalArgumentException("The model has a tensor in parameter group " + part.group()
                        + ", but its optimizer has " + groups + " groups");
            }
        }
    }

    /** Whether workers apply the mean gradient, so that servers hold nothing that outlives a step. */
    public boolean onWorkers() {
        return optimizer.match(sgd -> false, adam -> false, own -> true);
    }

    /** The floats of the flat vector that are parameters. */
    public Ranges parameters() {
        return Ranges.of(parts.stream()
                .filter(part -> part.kind() == Kind.PARAMETER)
                .flatMap(part -> part.ranges().list().stream())
                .toList());
    }

    /** The updates of a model with these tensors, one after the other. */
    public static Updates of(Optimizer optimizer, int groups, List<ParameterBlock> blocks) {
        SortedMap<Kind, SortedMap<Integer, List<Range>>> ranges = new TreeMap<>();
        int floats = 0;
        for (ParameterBlock block : blocks) {
            ranges.computeIfAbsent(block.kind(), kind -> new TreeMap<>())
                    .computeIfAbsent(block.group(), group -> new ArrayList<>())
                    .add(new Range(floats, block.floats()));
            floats += block.floats();
        }
        List<Part> parts = new ArrayList<>();
        ranges.forEach(
                (kind, byGroup) -> byGroup.forEach((group, list) -> parts.add(new Part(kind, group, Ranges.of(list)))));
        return new Updates(optimizer, groups, parts);
    }
}
