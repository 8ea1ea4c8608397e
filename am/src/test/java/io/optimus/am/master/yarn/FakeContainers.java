package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** A YARN that records what it is asked. */
public final class FakeContainers implements Containers {
    public final List<SortedMap<RoleOnNode, Integer>> requests = new ArrayList<>();
    public final List<List<String>> avoided = new ArrayList<>();
    public final Map<TaskId, String> launched = new TreeMap<>();
    public final List<String> stopped = new ArrayList<>();
    public final List<String> released = new ArrayList<>();

    @Override
    public void request(SortedMap<RoleOnNode, Integer> missing) {
        requests.add(new TreeMap<>(missing));
    }

    @Override
    public void avoid(SortedSet<String> nodes) {
        avoided.add(List.copyOf(nodes));
    }

    @Override
    public void launch(TaskId task, TaskContainer container) {
        launched.put(task, container.id());
    }

    @Override
    public void stop(TaskContainer container) {
        stopped.add(container.id());
    }

    @Override
    public void release(TaskContainer container) {
        released.add(container.id());
    }

    public SortedMap<RoleOnNode, Integer> lastRequest() {
        return requests.isEmpty() ? new TreeMap<>() : requests.get(requests.size() - 1);
    }
}
