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
 * All resource requests of one application: those that are pending in YARN and the incoming ones that replace them.
 * Rewrites them so that the node, rack and ANY entries of a key agree and YARN grants nothing on other nodes.
 */
final class ApplicationRequests {
    private final SortedMap<SchedulerRequestKey, Map<String, ResourceRequest>> pending = new TreeMap<>();
    private final SortedMap<SchedulerRequestKey, Map<String, ResourceRequest>> incoming = new TreeMap<>();

    /** Adds requests that are pending in YARN at {@code key}, and does not change them. */
    void pending(SchedulerRequestKey key, Map<String, ResourceRequest> byName) {
        pending.put(key, new HashMap<>(byName));
    }

    /** Adds incoming requests; drops opportunistic ones, which no plan covers, and those that only the scheduler may make. */
    void incoming(Collection<ResourceRequest> requests) {
        for (ResourceRequest request : requests) {
            SchedulerRequestKey key = SchedulerRequestKey.create(request);
            boolean opportunistic = request.getExecutionTypeRequest() != null
                    && request.getExecutionTypeRequest().getExecutionType() == ExecutionType.OPPORTUNISTIC;
            if (!opportunistic && !GuaranteedRequests.isOne(key)) {
                incoming.computeIfAbsent(key, same -> new HashMap<>()).put(request.getResourceName(), request);
            }
        }
    }

    Set<SchedulerRequestKey> incomingKeys() {
        return incoming.keySet();
    }

    /**
     * Returns new requests for YARN that keep pending containers within {@code headroom}. Unchanged keys are left out.
     *
     * @param racks rack by node name
     * @param normalise rounds a requested size up as YARN does
     */
    List<ResourceRequest> within(Headroom headroom, Map<String, String> racks, UnaryOperator<Resource> normalise) {
        Set<SchedulerRequestKey> keys = new TreeSet<>(pending.keySet());
        keys.addAll(incoming.keySet());
        List<ResourceRequest> requests = new ArrayList<>();
        for (SchedulerRequestKey key : keys) {
            Map<String, ResourceRequest> before = pending.getOrDefault(key, Map.of());
            Map<String, ResourceRequest> requested = new HashMap<>(before);
            requested.putAll(incoming.getOrDefault(key, Map.of()));
            ResourceRequest any = requested.get(ResourceRequest.ANY);
            // YARN grants nothing at a key without an ANY entry: such requests are dropped.
            if (any != null) {
                Resource size = normalise.apply(any.getCapability());
                Map<String, Integer> counts =
                        withRacks(headroom.admit(request(any, Amounts.of(size), requested, racks)), racks);
                if (incoming.containsKey(key) || differs(before, counts)) {
                    requests.addAll(requests(any, size, before.keySet(), counts, racks.keySet()));
                }
            }
        }
        return requests;
    }

    private static Headroom.Request request(
            ResourceRequest any, Resources task, Map<String, ResourceRequest> requested, Map<String, String> racks) {
        SortedMap<String, Integer> byNode = new TreeMap<>();
        requested.forEach((name, request) -> {
            if (racks.containsKey(name) && request.getNumContainers() > 0) {
                byNode.put(name, request.getNumContainers());
            }
        });
        return new Headroom.Request(
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
            // YARN may grant only at a node's own entry: the plan counts by node.
            request.setRelaxLocality(nodeNames.contains(name));
            requests.add(request);
        }
        return requests;
    }
}
