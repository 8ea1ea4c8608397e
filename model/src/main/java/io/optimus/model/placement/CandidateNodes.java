package io.optimus.model.placement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Spots in the order of preference, looked up no further than they are asked for: most jobs need the first few of many
 * thousand.
 */
final class CandidateNodes {
    private final Supplier<Iterator<TasksOnNode>> source;
    private final List<TasksOnNode> known = new ArrayList<>();
    private @Nullable Iterator<TasksOnNode> unknown;

    CandidateNodes(Supplier<Iterator<TasksOnNode>> source) {
        this.source = source;
    }

    /** Whether there are {@code count} or more. */
    boolean has(int count) {
        if (unknown == null) {
            unknown = source.get();
        }
        while (known.size() < count && unknown.hasNext()) {
            known.add(unknown.next());
        }
        return known.size() >= count;
    }

    /** The one with that index, which is known to be there. */
    TasksOnNode get(int index) {
        return known.get(index);
    }

    /** The first {@code count}, which are known to be there. */
    List<TasksOnNode> first(int count) {
        return known.subList(0, count);
    }

    /** All. */
    List<TasksOnNode> all() {
        has(Integer.MAX_VALUE);
        return known;
    }
}
