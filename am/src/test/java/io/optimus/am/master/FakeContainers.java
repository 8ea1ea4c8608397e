package io.optimus.am.master;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** A ResourceManager that only takes notes. */
final class FakeContainers implements Containers {
    final List<SortedMap<Seat, Integer>> asks = new ArrayList<>();
    final List<String> released = new ArrayList<>();
    final List<List<String>> avoided = new ArrayList<>();

    @Override
    public void ask(SortedMap<Seat, Integer> missing) {
        asks.add(new TreeMap<>(missing));
    }

    @Override
    public void avoid(SortedSet<String> nodes) {
        avoided.add(List.copyOf(nodes));
    }

    @Override
    public void release(String container) {
        released.add(container);
    }

    SortedMap<Seat, Integer> lastAsk() {
        return asks.isEmpty() ? new TreeMap<>() : asks.get(asks.size() - 1);
    }
}
