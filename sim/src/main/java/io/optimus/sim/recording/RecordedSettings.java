package io.optimus.sim.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.gpu.GpuTypes;
import java.util.SortedMap;
import java.util.TreeMap;

/** The last settings of a recorded scheduler that matter for a replay. */
final class RecordedSettings {
    private static final double MILLIS = 1000;
    private static final long DAY_MILLIS = 86_400_000;
    private static final int MOST_JOBS = 1000;

    private final ObjectNode fields = JsonNodeFactory.instance.objectNode();

    /** Takes in changed settings; throws if they are invalid. */
    void take(JsonNode changed) {
        RecordedLine.merge(fields, changed);
        intervalSeconds();
        assumedPauseSeconds();
        distributedJobsPerNode();
        gpuTypes();
    }

    /** Time between two regular rounds. */
    double intervalSeconds() {
        return RecordedLine.whole(fields, "roundIntervalMillis", 1, DAY_MILLIS) / MILLIS;
    }

    /** Assumed pause of a resize before one was measured. */
    double assumedPauseSeconds() {
        return RecordedLine.whole(fields, "assumedResizeMillis", 0, DAY_MILLIS) / MILLIS;
    }

    int distributedJobsPerNode() {
        return (int) RecordedLine.whole(fields, "distributedJobsPerNode", 0, MOST_JOBS);
    }

    GpuTypes gpuTypes() {
        SortedMap<String, Double> speeds = new TreeMap<>();
        fields.path("gpuTypes")
                .fields()
                .forEachRemaining(
                        type -> speeds.put(type.getKey(), RecordedLine.positive(type.getKey(), type.getValue())));
        return new GpuTypes(speeds);
    }

    /** Whether plans were carried out. */
    boolean enforced() {
        return fields.path("mode").asText("enforce").equals("enforce");
    }
}
