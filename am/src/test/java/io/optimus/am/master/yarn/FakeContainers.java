package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.ArrayList;
import java.util.EnumMap;
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
    public final Map<Role, Long> memoryMb = new EnumMap<>(Role.class);
    public long mostMemoryMb = 8_192;

    @Override
    public void request(SortedMap<RoleOnNode, Integer> missing) {
        requests.add(new TreeMap<>(missing));
    }

    @Override
    public void memory(Role role, long mb) {
        memoryMb.put(role, mb);
    }

    @Override
    public long mostMemoryMb() {
        return mostMemoryMb;
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
