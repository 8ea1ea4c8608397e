package io.optimus.am.master.journal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last few of a kind; older ones are counted and forgotten. */
final class Recent<T> {
    private final int capacity;
    private final Deque<T> items = new ArrayDeque<>();
    private long seen;

    Recent(int capacity) {
        this.capacity = capacity;
    }

    void add(T item) {
        seen++;
        if (items.size() == capacity) {
            items.removeFirst();
        }
        items.addLast(item);
    }

    /** Oldest first; a copy. */
    List<T> items() {
        return List.copyOf(items);
    }

    /** All that are kept, which are forgotten. */
    List<T> drain() {
        List<T> drained = items();
        items.clear();
        return drained;
    }

    /** How many there ever were. */
    long seen() {
        return seen;
    }
}
