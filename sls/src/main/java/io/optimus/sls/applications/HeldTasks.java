package io.optimus.sls.applications;

import io.optimus.protocol.TrainingProtocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** The tasks of a training job by node, and what a directive changes of them. */
final class HeldTasks {
    /** How long a task that YARN placed within the guarantee waits for a directive that has it. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<ContainerId, Task> tasks = new HashMap<>();

    private record Task(String node, boolean placedByYarn, long grantedNanos) {
        boolean awaitsDirective(long nowNanos) {
            return placedByYarn && nowNanos - grantedNanos < PATIENCE_NANOS;
        }
    }

    /**
     * What to do to follow a directive.
     *
     * @param missing tasks to ask for by node
     * @param surplus containers to release
     */
    record Change(SortedMap<String, Integer> missing, List<ContainerId> surplus) {}

    void add(Container granted) {
        tasks.put(
                granted.getId(),
                new Task(
                        granted.getNodeId().toString(),
                        granted.getAllocationRequestId() == TrainingProtocol.GUARANTEED_REQUEST_ID,
                        System.nanoTime()));
    }

    /** Removes a container that has ended; false if it was not held. */
    boolean remove(ContainerId ended) {
        return tasks.remove(ended) != null;
    }

    int size() {
        return tasks.size();
    }

    SortedMap<String, Integer> byNode() {
        SortedMap<String, Integer> byNode = new TreeMap<>();
        tasks.values().forEach(task -> byNode.merge(task.node(), 1, Integer::sum));
        return byNode;
    }

    /** Compares with the {@code target}, tasks by node. */
    Change towards(Map<String, Integer> target) {
        SortedMap<String, Integer> missing = new TreeMap<>(target);
        List<ContainerId> surplus = new ArrayList<>();
        long now = System.nanoTime();
        tasks.forEach((id, task) -> {
            int left = missing.getOrDefault(task.node(), 0);
            if (left > 0) {
                missing.put(task.node(), left - 1);
            } else if (!task.awaitsDirective(now)) {
                surplus.add(id);
            }
        });
        missing.values().removeIf(count -> count == 0);
        return new Change(missing, surplus);
    }
}
