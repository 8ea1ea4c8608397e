package io.optimus.yarn.recording;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.read.TrainingContainer;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fields of nodes and queues. */
final class ClusterFields {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ClusterFields() {}

    /** The nodes that jobs may use, by id, with the room that all training together may take on each. */
    static SortedMap<String, ObjectNode> nodes(ClusterView view) {
        Map<String, Resources> held = new HashMap<>();
        for (QueueView queue : view.queues()) {
            for (ApplicationUsage usage : queue.usages()) {
                for (TrainingContainer task : usage.containers()) {
                    held.merge(task.node(), task.resources(), Resources::plus);
                }
            }
        }
        SortedMap<String, ObjectNode> nodes = new TreeMap<>();
        for (QueueView queue : view.queues()) {
            for (NodeSnapshot node : queue.cluster().nodes()) {
                if (!nodes.containsKey(node.id())) {
                    Resources room = view.free()
                            .getOrDefault(node.id(), Resources.NONE)
                            .plus(held.getOrDefault(node.id(), Resources.NONE));
                    nodes.put(node.id(), node(node, queue.partition(), room));
                }
            }
        }
        return nodes;
    }

    private static ObjectNode node(NodeSnapshot node, String partition, Resources room) {
        ObjectNode json = NODES.objectNode().put("rack", node.rack());
        if (!node.gpuType().isEmpty()) {
            json.put("gpuType", node.gpuType());
        }
        if (!partition.isEmpty()) {
            json.put("label", partition);
        }
        json.set("capacity", JsonFigures.resources(node.capacity()));
        json.set("room", JsonFigures.resources(room));
        return json;
    }

    /** The queues with training jobs, by path and label. */
    static SortedMap<String, ObjectNode> queues(ClusterView view, OptimusConfiguration settings) {
        SortedMap<String, ObjectNode> queues = new TreeMap<>();
        for (QueueView queue : view.queues()) {
            ObjectNode json = NODES.objectNode()
                    .put("policy", settings.policies().of(queue.queue()))
                    .put("jobsPerUser", settings.owners().jobsPerUser().of(queue.queue()))
                    .put("othersWait", !queue.ordinary().pending().equals(Resources.NONE));
            json.set("budget", JsonFigures.resources(queue.cluster().budget()));
            ObjectNode users = json.putObject("userBudgets");
            queue.userBudgets().forEach((user, budget) -> users.set(user, JsonFigures.resources(budget)));
            queues.put(queue.partition().isEmpty() ? queue.queue() : queue.queue() + "@" + queue.partition(), json);
        }
        return queues;
    }
}
