package io.optimus.am.master.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** A ResourceManager that only takes notes. */
public final class FakeContainers implements Containers {
    public final List<SortedMap<RoleOnNode, Integer>> asks = new ArrayList<>();
    public final List<String> released = new ArrayList<>();
    public final List<List<String>> avoided = new ArrayList<>();

    @Override
    public void ask(SortedMap<RoleOnNode, Integer> missing) {
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

    public SortedMap<RoleOnNode, Integer> lastAsk() {
        return asks.isEmpty() ? new TreeMap<>() : asks.get(asks.size() - 1);
    }
}
