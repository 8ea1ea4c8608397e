package io.optimus.sls.applications;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * The asks of a training job, pinned to nodes, and what YARN still owes of them. They are sent when the plan's number or what
 * is missing changes, as the product's ApplicationMaster sends them.
 */
final class PinnedAsks {
    private final Resource task;
    private final Priority priority;
    private final Function<String, String> rackOf;
    private final SortedMap<String, Integer> owed = new TreeMap<>();
    private long plan;

    /**
     * Nothing is asked for yet.
     *
     * @param rackOf the rack of a node, by YARN's node id
     */
    PinnedAsks(Resource task, int priority, Function<String, String> rackOf) {
        this.task = task;
        this.priority = Priority.newInstance(priority);
        this.rackOf = rackOf;
    }

    /** The asks to send for {@code missing}, tasks by node; empty if YARN knows them. */
    List<ResourceRequest> of(long planNumber, SortedMap<String, Integer> missing) {
        owed.values().removeIf(count -> count == 0);
        if (planNumber == plan && missing.equals(owed)) {
            return List.of();
        }
        SortedMap<String, Integer> nodes = new TreeMap<>();
        owed.keySet().forEach(node -> nodes.put(node, 0));
        nodes.putAll(missing);
        owed.clear();
        owed.putAll(missing);
        plan = planNumber;
        return nodes.isEmpty() ? List.of() : requests(nodes);
    }

    private List<ResourceRequest> requests(SortedMap<String, Integer> nodes) {
        SortedMap<String, Integer> racks = new TreeMap<>();
        nodes.forEach((node, count) -> racks.merge(rackOf.apply(node), count, Integer::sum));
        List<ResourceRequest> requests = new ArrayList<>();
        nodes.forEach((node, count) -> requests.add(request(hostOf(node), count, true)));
        racks.forEach((rack, count) -> requests.add(request(rack, count, false)));
        int all = racks.values().stream().mapToInt(Integer::intValue).sum();
        requests.add(request(ResourceRequest.ANY, all, false));
        return requests;
    }

    /** YARN granted a task on {@code node}. */
    void granted(String node) {
        owed.computeIfPresent(node, (name, count) -> Math.max(0, count - 1));
    }

    private ResourceRequest request(String name, int count, boolean relax) {
        return ResourceRequest.newInstance(priority, name, task, count, relax);
    }

    /** Resource requests name simulated nodes by their hosts: each has one of its own. */
    private static String hostOf(String node) {
        return node.substring(0, node.lastIndexOf(':'));
    }
}
