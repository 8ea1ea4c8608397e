package io.optimus.model.placement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes where tasks of one job could go, in the order of preference. They are read lazily, because most jobs need only
 * the first few of many thousand.
 */
final class CandidateNodes {
    private final Supplier<Iterator<TasksOnNode>> source;
    private final List<TasksOnNode> known = new ArrayList<>();
    private @Nullable Iterator<TasksOnNode> unknown;

    CandidateNodes(Supplier<Iterator<TasksOnNode>> source) {
        this.source = source;
    }

    boolean has(int count) {
        if (unknown == null) {
            unknown = source.get();
        }
        while (known.size() < count && unknown.hasNext()) {
            known.add(unknown.next());
        }
        return known.size() >= count;
    }

    /** The node at {@code index}, which is below a count for which {@link #has} was true. */
    TasksOnNode get(int index) {
        return known.get(index);
    }

    /** The first {@code count} nodes; {@link #has} was true for {@code count}. */
    List<TasksOnNode> first(int count) {
        return known.subList(0, count);
    }

    List<TasksOnNode> all() {
        has(Integer.MAX_VALUE);
        return known;
    }
}
