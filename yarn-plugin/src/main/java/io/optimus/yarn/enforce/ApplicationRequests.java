package io.optimus.yarn.enforce;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.read.Amounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * All asks of one application: what YARN has pending and, laid over it, what comes in. Writes them down anew so that
 * node, rack and ANY entries of a key agree and nothing is left that could be granted off the named nodes.
 */
final class ApplicationRequests {
    private final SortedMap<SchedulerRequestKey, Map<String, ResourceRequest>> pending = new TreeMap<>();
    private final SortedMap<SchedulerRequestKey, Map<String, ResourceRequest>> incoming = new TreeMap<>();

    /** Adds what YARN has at {@code key}; the requests are only read. */
    void pending(SchedulerRequestKey key, Map<String, ResourceRequest> byName) {
        pending.put(key, new HashMap<>(byName));
    }

    /** Adds what comes in; opportunistic asks have no place in a plan and are dropped. */
    void incoming(Collection<ResourceRequest> requests) {
        for (ResourceRequest request : requests) {
            boolean opportunistic = request.getExecutionTypeRequest() != null
                    && request.getExecutionTypeRequest().getExecutionType() == ExecutionType.OPPORTUNISTIC;
            if (!opportunistic) {
                incoming.computeIfAbsent(SchedulerRequestKey.create(request), key -> new HashMap<>())
                        .put(request.getResourceName(), request);
            }
        }
    }

    /** Keys that something comes in for. */
    Set<SchedulerRequestKey> incomingKeys() {
        return incoming.keySet();
    }

    /**
     * The requests to hand to YARN, new objects, so that what is pending then is within {@code room}; without keys that
     * stay as they are.
     *
     * @param racks rack by node name
     * @param normalise what YARN makes of an asked-for size
     */
    List<ResourceRequest> within(Headroom room, Map<String, String> racks, UnaryOperator<Resource> normalise) {
        Set<SchedulerRequestKey> keys = new TreeSet<>(pending.keySet());
        keys.addAll(incoming.keySet());
        List<ResourceRequest> requests = new ArrayList<>();
        for (SchedulerRequestKey key : keys) {
            Map<String, ResourceRequest> before = pending.getOrDefault(key, Map.of());
            Map<String, ResourceRequest> asked = new HashMap<>(before);
            asked.putAll(incoming.getOrDefault(key, Map.of()));
            ResourceRequest any = asked.get(ResourceRequest.ANY);
            // YARN grants nothing at a key before it has an ANY entry: what came without one is not kept.
            if (any != null) {
                Resource size = normalise.apply(any.getCapability());
                Map<String, Integer> counts = withRacks(room.admit(wanted(any, Amounts.of(size), asked, racks)), racks);
                if (incoming.containsKey(key) || differs(before, counts)) {
                    requests.addAll(requests(any, size, before.keySet(), counts, racks.keySet()));
                }
            }
        }
        return requests;
    }

    private static RequestedTasks wanted(
            ResourceRequest any, Resources task, Map<String, ResourceRequest> asked, Map<String, String> racks) {
        SortedMap<String, Integer> byNode = new TreeMap<>();
        asked.forEach((name, request) -> {
            if (racks.containsKey(name) && request.getNumContainers() > 0) {
                byNode.put(name, request.getNumContainers());
            }
        });
        return new RequestedTasks(
                any.getPriority().getPriority(), task, byNode, any.getNumContainers(), any.getRelaxLocality());
    }

    private static Map<String, Integer> withRacks(SortedMap<String, Integer> byNode, Map<String, String> racks) {
        Map<String, Integer> counts = new TreeMap<>(byNode);
        byNode.forEach((node, count) -> {
            counts.merge(racks.getOrDefault(node, ResourceRequest.ANY), count, Integer::sum);
            counts.merge(ResourceRequest.ANY, count, Integer::sum);
        });
        return counts;
    }

    private static boolean differs(Map<String, ResourceRequest> before, Map<String, Integer> counts) {
        return !before.keySet().containsAll(counts.keySet())
                || before.entrySet().stream()
                        .anyMatch(entry -> entry.getValue().getNumContainers() != counts.getOrDefault(entry.getKey(), 0)
                                || (entry.getKey().equals(ResourceRequest.ANY)
                                        && entry.getValue().getRelaxLocality()));
    }

    private static List<ResourceRequest> requests(
            ResourceRequest any,
            Resource size,
            Set<String> namesBefore,
            Map<String, Integer> counts,
            Set<String> nodeNames) {
        Set<String> names = new TreeSet<>(namesBefore);
        names.addAll(counts.keySet());
        List<ResourceRequest> requests = new ArrayList<>();
        for (String name : names) {
            ResourceRequest request = ResourceRequest.clone(any);
            request.setResourceName(name);
            request.setCapability(size);
            request.setNumContainers(counts.getOrDefault(name, 0));
            // Only a node's own entry may be granted: the plan counts by node.
            request.setRelaxLocality(nodeNames.contains(name));
            requests.add(request);
        }
        return requests;
    }
}
