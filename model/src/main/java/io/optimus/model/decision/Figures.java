package io.optimus.model.decision;

import io.optimus.model.cluster.DominantShare;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** Collects the figures of a reason by name; those that are not finite are left out. */
final class Figures {
    private final SortedMap<String, Double> byName;

    Figures() {
        this(Collections.emptySortedMap());
    }

    /** Begins with other figures. */
    Figures(SortedMap<String, Double> others) {
        byName = new TreeMap<>(others);
    }

    Figures with(String name, double value) {
        if (Double.isFinite(value)) {
            byName.put(name, value);
        }
        return this;
    }

    Figures with(String name, long value) {
        return with(name, (double) value);
    }

    Figures with(String name, OptionalDouble value) {
        return with(name, value.orElse(Double.NaN));
    }

    Figures with(Shortage shortage) {
        byName.putAll(shortage.figures());
        return this;
    }

    Figures with(List<DominantShare> shares) {
        shares.forEach(share -> with("shareOfCluster." + share.resource(), share.part()));
        return this;
    }

    SortedMap<String, Double> all() {
        return Collections.unmodifiableSortedMap(byName);
    }
}
