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

/**
 * Nodes, by index, of which those with the same amounts are one kind: the largest are found among a few hundred kinds
 * instead of many thousand nodes.
 */
final class NodesByRoom {
    private static final Comparator<Ranked> LARGEST_FIRST = Comparator.comparing(Ranked::last)
            .thenComparing(Ranked::capacity, Comparator.reverseOrder())
            .thenComparing(kind -> kind.nodes().first());

    private final Map<Key, Alike> byAmounts = new HashMap<>();

    /** One or more nodes that all have the same amounts. */
    static final class Alike {
        private final long[] amounts;
        private final SortedSet<Integer> nodes = new TreeSet<>();

        private Alike(long[] amounts) {
            this.amounts = amounts;
        }

        /** Not to be changed. */
        long[] amounts() {
            return amounts;
        }

        SortedSet<Integer> nodes() {
            return nodes;
        }
    }

    /** A kind among others: those that come {@code last} after all that do not, else the one of more capacity first. */
    record Ranked(boolean last, double capacity, SortedSet<Integer> nodes) {}

    /** {@code amounts} may not change any more: they are a key. */
    void add(long[] amounts, int node) {
        byAmounts
                .computeIfAbsent(new Key(amounts), key -> new Alike(amounts))
                .nodes()
                .add(node);
    }

    /** It is of this kind no more, if it was. */
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

    /** All kinds, in no order. */
    Collection<Alike> all() {
        return byAmounts.values();
    }

    /** The nodes of these kinds, kind after kind, none looked at before it is asked for. */
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

    /** Amounts as a key. */
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
