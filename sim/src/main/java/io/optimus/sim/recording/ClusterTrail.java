package io.optimus.sim.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.sim.engine.ClusterChange;
import io.optimus.sim.engine.ClusterChange.QueueLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a recording says of nodes and queues, line by line. */
final class ClusterTrail {
    private static final double MILLIS = 1000;
    private static final int MOST_JOBS = 1_000_000;

    /** In the key of a queue, a node label follows this. */
    private static final char LABEL = '@';

    private final SortedMap<String, ObjectNode> nodes = new TreeMap<>();
    private final SortedMap<String, ObjectNode> queues = new TreeMap<>();
    private final SortedMap<String, NodeSnapshot> everSeen = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, Long>> policyMillis = new TreeMap<>();
    private final List<ClusterChange> changes = new ArrayList<>();
    /** The nodes of the first round. */
    private final SortedSet<String> atBeginning = new TreeSet<>();

    private boolean labels;
    private boolean namesAll;
    private long lastMillis = Long.MIN_VALUE;

    /** The next round that names nodes names all nodes and queues that there are. */
    void begin() {
        namesAll = true;
    }

    /**
     * Takes in a round.
     *
     * @param firstMillis when the recording begins
     * @param atMillis when the round ran, not before the last one
     */
    void round(long firstMillis, long atMillis, JsonNode round) {
        SortedSet<String> before = new TreeSet<>(nodes.keySet());
        List<NodeSnapshot> changed = new ArrayList<>();
        SortedSet<String> named = new TreeSet<>();
        for (JsonNode each : round.path("nodes")) {
            String id = RecordedLine.text(each, "id");
            named.add(id);
            NodeSnapshot node = node(id, merged(nodes, id, each));
            changed.add(node);
            everSeen.merge(id, node.withAvailable(node.capacity()), ClusterTrail::larger);
        }
        SortedSet<String> gone = new TreeSet<>();
        round.path("nodesGone").forEach(id -> gone.add(id.asText()));
        if (namesAll && !named.isEmpty()) {
            before.removeAll(named);
            gone.addAll(before);
            queues.clear();
            namesAll = false;
        }
        nodes.keySet().removeAll(gone);
        countPolicies(atMillis);
        SortedSet<String> limited = new TreeSet<>();
        for (JsonNode each : round.path("queues")) {
            String key = RecordedLine.text(each, "queue");
            labels |= key.indexOf(LABEL) >= 0;
            ObjectNode queue = merged(queues, key, each);
            RecordedLine.text(queue, "policy");
            limited.add(path(key));
        }
        round.path("queuesGone").forEach(key -> queues.remove(key.asText()));
        SortedMap<String, QueueLimits> limits = new TreeMap<>();
        limited.forEach(path -> limits.put(path, limitsOf(path)));
        if (lastMillis == Long.MIN_VALUE) {
            atBeginning.addAll(nodes.keySet());
        }
        if (!changed.isEmpty() || !gone.isEmpty() || !limits.isEmpty()) {
            changes.add(new ClusterChange((atMillis - firstMillis) / MILLIS, changed, gone, limits));
        }
        lastMillis = atMillis;
    }

    private void countPolicies(long atMillis) {
        if (lastMillis != Long.MIN_VALUE) {
            queues.forEach((key, queue) -> policyMillis
                    .computeIfAbsent(path(key), path -> new TreeMap<>())
                    .merge(queue.path("policy").asText(), atMillis - lastMillis, Long::sum));
        }
    }

    private static String path(String key) {
        int label = key.indexOf(LABEL);
        return label < 0 ? key : key.substring(0, label);
    }

    private static ObjectNode merged(SortedMap<String, ObjectNode> known, String id, JsonNode changed) {
        ObjectNode all = known.computeIfAbsent(id, key -> JsonNodeFactory.instance.objectNode());
        RecordedLine.merge(all, changed);
        return all;
    }

    private static NodeSnapshot node(String id, JsonNode fields) {
        return new NodeSnapshot(
                id,
                RecordedLine.resources(fields, "capacity").max(Resources.NONE),
                RecordedLine.resources(fields, "room"),
                fields.path("gpuType").asText(),
                fields.path("rack").asText());
    }

    private static NodeSnapshot larger(NodeSnapshot one, NodeSnapshot other) {
        Resources most = one.capacity().max(other.capacity());
        return new NodeSnapshot(one.id(), most, most, other.gpuType(), other.rack());
    }

    /** The limits of a queue over the nodes of all labels: a replay knows no labels. */
    private QueueLimits limitsOf(String path) {
        return queues.entrySet().stream()
                .filter(queue -> path(queue.getKey()).equals(path))
                .map(queue -> limits(queue.getValue()))
                .reduce((one, other) -> one.plus(other))
                .orElseThrow();
    }

    private static QueueLimits limits(JsonNode queue) {
        SortedMap<String, Resources> users = new TreeMap<>();
        queue.path("userBudgets")
                .fieldNames()
                .forEachRemaining(user -> users.put(user, RecordedLine.resources(queue.path("userBudgets"), user)));
        return new QueueLimits(
                RecordedLine.resources(queue, "budget"),
                users,
                (int) RecordedLine.whole(queue, "jobsPerUser", 0, MOST_JOBS),
                queue.path("othersWait").asBoolean());
    }

    /** The changes in order of time. Nodes that join later are not there at the beginning. */
    List<ClusterChange> changes() {
        SortedSet<String> later = new TreeSet<>(everSeen.keySet());
        later.removeAll(atBeginning);
        if (later.isEmpty()) {
            return List.copyOf(changes);
        }
        List<ClusterChange> all = new ArrayList<>(changes);
        all.add(0, new ClusterChange(0, List.of(), later, new TreeMap<>()));
        return all;
    }

    /** Every node that was ever there, with its largest capacity. */
    List<NodeSnapshot> everSeen() {
        return List.copyOf(everSeen.values());
    }

    /** How long each policy held in each queue, by path and name. */
    SortedMap<String, SortedMap<String, Long>> policyMillis() {
        // The policies of the last round hold from then on.
        SortedMap<String, SortedMap<String, Long>> all = new TreeMap<>();
        policyMillis.forEach((queue, byPolicy) -> all.put(queue, new TreeMap<>(byPolicy)));
        queues.forEach((key, queue) -> all.computeIfAbsent(path(key), path -> new TreeMap<>())
                .merge(queue.path("policy").asText(), 1L, Long::sum));
        return all;
    }

    /** Whether nodes have labels. */
    boolean hasLabels() {
        return labels;
    }
}
