package io.optimus.model.placement;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SortedSet;
import java.util.TreeSet;

/** Nodes grouped by their free resources: the largest are found among a few hundred groups instead of many thousand nodes. */
final class NodesByRoom {
    private static final Comparator<Ranked> LARGEST_FIRST = Comparator.comparing(Ranked::last)
            .thenComparing(Ranked::capacity, Comparator.reverseOrder())
            .thenComparing(kind -> kind.nodes().first());

    private final Map<Key, Alike> byAmounts = new HashMap<>();

    /** One or more nodes that have the same amounts. */
    static final class Alike {
        private final long[] amounts;
        private final SortedSet<Integer> nodes = new TreeSet<>();

        private Alike(long[] amounts) {
            this.amounts = amounts;
        }

        /** The amounts, which callers must not change. */
        long[] amounts() {
            return amounts;
        }

        SortedSet<Integer> nodes() {
            return nodes;
        }
    }

    /** A group with its rank: groups marked {@code last} come after the others, and larger capacity comes first. */
    record Ranked(boolean last, double capacity, SortedSet<Integer> nodes) {}

    /** Adds a node. {@code amounts} must not change afterwards, because they are a key. */
    void add(long[] amounts, int node) {
        byAmounts
                .computeIfAbsent(new Key(amounts), key -> new Alike(amounts))
                .nodes()
                .add(node);
    }

    /** Removes a node from its group, if it is in it. */
    void remove(long[] amounts, int node) {
        Key key = new Key(amounts);
        Alike alike = byAmounts.get(key);
        if (alike != null) {
            alike.nodes().remove(node);
            if (alike.nodes().isEmpty()) {
                byAmounts.remove(key);
            }
        }
    }

    /** All groups, in no order. */
    Collection<Alike> all() {
        return byAmounts.values();
    }

    /** The nodes of these groups in the order of their ranks, read lazily. */
    static Iterator<Integer> inOrder(List<Ranked> kinds) {
        return new NodesOfKinds(
                kinds.stream().sorted(LARGEST_FIRST).map(Ranked::nodes).iterator());
    }

    private static final class NodesOfKinds implements Iterator<Integer> {
        private final Iterator<SortedSet<Integer>> kinds;
        private Iterator<Integer> nodes = Collections.emptyIterator();

        NodesOfKinds(Iterator<SortedSet<Integer>> kinds) {
            this.kinds = kinds;
        }

        @Override
        public boolean hasNext() {
            while (!nodes.hasNext() && kinds.hasNext()) {
                nodes = kinds.next().iterator();
            }
            return nodes.hasNext();
        }

        @Override
        public Integer next() {
            if (!hasNext()) {
                throw new NoSuchElementException("No further node has room");
            }
            return nodes.next();
        }
    }

    /** Amounts as the key of a map. */
    private static final class Key {
        private final long[] amounts;
        private final int hash;

        Key(long[] amounts) {
            this.amounts = amounts;
            this.hash = Arrays.hashCode(amounts);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(amounts, key.amounts);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
