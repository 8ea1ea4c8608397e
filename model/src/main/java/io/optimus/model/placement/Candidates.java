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
final class Candidates {
    private final Supplier<Iterator<Spot>> source;
    private final List<Spot> known = new ArrayList<>();
    private @Nullable Iterator<Spot> unknown;

    Candidates(Supplier<Iterator<Spot>> source) {
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
    Spot get(int index) {
        return known.get(index);
    }

    /** The first {@code count}, which are known to be there. */
    List<Spot> first(int count) {
        return known.subList(0, count);
    }

    /** All. */
    List<Spot> all() {
        has(Integer.MAX_VALUE);
        return known;
    }
}
