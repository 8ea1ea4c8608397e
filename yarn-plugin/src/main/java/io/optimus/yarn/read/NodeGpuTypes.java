package io.optimus.yarn.read;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.yarn.jobs.GpuSpeeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeAttributeKey;
import org.apache.hadoop.yarn.nodelabels.AttributeValue;
import org.apache.hadoop.yarn.nodelabels.NodeAttributesManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * The GPU types of hosts, from YARN's node attribute {@value #ATTRIBUTE}: the administrator's value ({@code yarn
 * nodeattributes}), else the NodeManager's. They are read with each view of the cluster and kept until the next.
 */
public final class NodeGpuTypes implements GpuSpeeds {
    /** Name of the attribute, under either prefix. */
    static final String ATTRIBUTE = "gpu-type";

    /** Later keys override earlier ones. */
    private static final List<NodeAttributeKey> KEYS = List.of(
            NodeAttributeKey.newInstance(NodeAttribute.PREFIX_DISTRIBUTED, ATTRIBUTE),
            NodeAttributeKey.newInstance(NodeAttribute.PREFIX_CENTRALIZED, ATTRIBUTE));

    private final CapacityScheduler scheduler;
    private final Supplier<GpuTypes> types;
    private volatile Optional<Map<String, String>> known = Optional.empty();

    /**
     * Reads the nodes of {@code scheduler}, which may still be starting.
     *
     * @param types how fast each type of GPU is, asked for at each use
     */
    public NodeGpuTypes(CapacityScheduler scheduler, Supplier<GpuTypes> types) {
        this.scheduler = scheduler;
        this.types = types;
    }

    /** GPU type by host, for hosts that have the attribute. */
    Map<String, String> read() {
        Map<String, String> typeOfHost = new HashMap<>();
        // Reads all nodes at once: the attributes of a single node are not copied and may change meanwhile.
        Map<NodeAttributeKey, Map<String, AttributeValue>> attributes = Optional.ofNullable(
                        scheduler.getRMContext().getNodeAttributesManager())
                .map(NodeGpuTypes::attributes)
                .orElse(Map.of());
        for (NodeAttributeKey key : KEYS) {
            attributes.getOrDefault(key, Map.of()).forEach((host, type) -> typeOfHost.put(host, type.getValue()));
        }
        known = Optional.of(typeOfHost);
        return typeOfHost;
    }

    private static Map<NodeAttributeKey, Map<String, AttributeValue>> attributes(NodeAttributesManager manager) {
        return manager.getAttributesToNodes(Set.copyOf(KEYS));
    }

    @Override
    public double ofNode(String node) {
        String host = node.split(":", 2)[0];
        return types.get().speed(known.orElseGet(this::read).getOrDefault(host, ""));
    }
}
