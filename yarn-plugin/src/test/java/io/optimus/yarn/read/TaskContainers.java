package io.optimus.yarn.read;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.job.Placement;
import io.optimus.protocol.TrainingProtocol;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * The task containers of a scripted master, and the requests that lead from them to a target, as the ApplicationMaster of the
 * product makes them.
 */
public final class TaskContainers {
    /** How long a container that YARN granted on a node of its own choice may wait for the plan to take it up. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Map<Role, Task> tasks;
    private final List<Container> held = new ArrayList<>();
    private final Map<ContainerId, Long> grantedNanos = new HashMap<>();
    private Set<String> asked = Set.of();

    /**
     * The task of a role.
     *
     * @param priority YARN's priority of its requests
     * @param resource its resources
     */
    public record Task(int priority, Resource resource) {}

    /** Holds nothing yet. */
    public TaskContainers(Map<Role, Task> tasks) {
        this.tasks = Map.copyOf(tasks);
    }

    /** The containers that it holds, the oldest first. */
    public List<Container> held() {
        return List.copyOf(held);
    }

    /** The tasks that it holds on each node. */
    public Placement placement() {
        Map<String, Allocation> byNode = new TreeMap<>();
        for (Container container : held) {
            byNode.merge(
                    container.getNodeId().toString(), Allocation.NONE.plus(roleOf(container), 1), Allocation::plus);
        }
        return Placement.of(byNode);
    }

    /** The containers that it holds on {@code node}. */
    public long on(NodeId node) {
        return held.stream()
                .filter(container -> container.getNodeId().equals(node))
                .count();
    }

    /** The role of {@code container}. */
    public Role roleOf(Container container) {
        return tasks.entrySet().stream()
                .filter(task ->
                        task.getValue().priority() == container.getPriority().getPriority())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** The containers that {@code target} leaves out. */
    public List<Container> surplus(Placement target) {
        Map<String, Allocation> missing = new TreeMap<>(target.byNode());
        List<Container> surplus = new ArrayList<>();
        for (Container container : held) {
            String node = container.getNodeId().toString();
            Role role = roleOf(container);
            Allocation left = missing.getOrDefault(node, Allocation.NONE);
            if (left.count(role) > 0) {
                missing.put(node, left.plus(role, -1));
            } else if (!awaitsPlan(container)) {
                surplus.add(container);
            }
        }
        return surplus;
    }

    /** Requests everything that {@code target} has beyond what is held, in place of all requests before. */
    public AllocateRequest.AllocateRequestBuilder towards(Placement target) {
        Placement now = placement();
        Set<String> nodes = new TreeSet<>(asked);
        nodes.addAll(target.byNode().keySet());
        asked = Set.copyOf(target.byNode().keySet());
        List<ResourceRequest> asks = new ArrayList<>();
        tasks.forEach((role, task) -> {
            int all = 0;
            for (String node : nodes) {
                int lacking =
                        Math.max(0, target.on(node).count(role) - now.on(node).count(role));
                asks.add(FakeApplicationMaster.ask(task.priority(), task.resource(), node, lacking, true));
                all += lacking;
            }
            asks.add(FakeApplicationMaster.ask(task.priority(), task.resource(), "/default-rack", all, false));
            asks.add(FakeApplicationMaster.ask(task.priority(), task.resource(), ResourceRequest.ANY, all, false));
        });
        return AllocateRequest.newBuilder().askList(asks);
    }

    /** Adds containers that YARN granted. */
    public void add(Collection<Container> granted) {
        for (Container container : granted) {
            held.add(container);
            grantedNanos.put(container.getId(), System.nanoTime());
        }
    }

    /** Removes containers that were released or have ended. */
    public void remove(Collection<ContainerId> ended) {
        held.removeIf(container -> ended.contains(container.getId()));
        grantedNanos.keySet().removeAll(ended);
    }

    /** Whether YARN granted it so lately on a node of its own choice that the plan may not have it yet. */
    private boolean awaitsPlan(Container container) {
        return System.nanoTime() - grantedNanos.getOrDefault(container.getId(), 0L) < PATIENCE_NANOS
                && container.getAllocationRequestId() == TrainingProtocol.GUARANTEED_REQUEST_ID;
    }
}
