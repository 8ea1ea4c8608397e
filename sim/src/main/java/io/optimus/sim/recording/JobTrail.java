package io.optimus.sim.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What a recording says of one job, line by line. */
final class JobTrail {
    private static final long MOST_STEPS = 1L << 52;
    private static final long MOST_PAUSE_MILLIS = 1L << 40;

    private final String id;
    private final long firstMillis;
    private final ObjectNode fields = JsonNodeFactory.instance.objectNode();
    private final NavigableMap<Long, Double> losses = new TreeMap<>();
    private final Map<SizeOnNodes, Double> speeds = new TreeMap<>();
    private final List<Double> pauseMillis = new ArrayList<>();
    private long firstStep = -1;
    private long step;
    private OptionalLong plannedMillis = OptionalLong.empty();
    private OptionalLong steppedMillis = OptionalLong.empty();
    private long stepsThen;
    private JsonNode membersThen =
            JsonNodeFactory.instance.arrayNode().add(0).add(0).add(0);
    private long lastMillis;
    private OptionalLong endMillis = OptionalLong.empty();
    private String outcome = RecordedJob.Known.STILL_RAN;

    /** A size on a number of nodes, in a fixed order. */
    record SizeOnNodes(Allocation size, int nodes) implements Comparable<SizeOnNodes> {
        @Override
        public int compareTo(SizeOnNodes other) {
            int bySize = size.compareTo(other.size);
            return bySize != 0 ? bySize : Integer.compare(nodes, other.nodes);
        }
    }

    JobTrail(String id, long firstMillis) {
        this.id = id;
        this.firstMillis = firstMillis;
    }

    /** Takes in what a round at {@code atMillis} says of the job; throws if that is invalid. */
    void round(long atMillis, JsonNode changed) {
        lastMillis = atMillis;
        RecordedLine.merge(fields, changed);
        boolean began = endMillis.isEmpty() || atMillis > endMillis.getAsLong();
        if (began && !fields.path("state").asText().equals("finished")) {
            // Another attempt goes on with a job that had said that it ended.
            endMillis = OptionalLong.empty();
            outcome = RecordedJob.Known.STILL_RAN;
        }
        if (changed.has("step")) {
            advanced(atMillis, RecordedLine.whole(changed, "step", 0, MOST_STEPS));
        }
        changed.path("losses").forEach(this::loss);
        changed.path("speeds").forEach(this::speed);
        changed.path("resizes").forEach(this::resize);
        fields.remove(List.of("losses", "resizes"));
        if (plannedMillis.isEmpty() && !allocation("planned").isNone()) {
            plannedMillis = OptionalLong.of(atMillis);
        }
    }

    /** Notes that the job is there in a round, though nothing of it has changed. */
    void goesOn(long atMillis) {
        lastMillis = atMillis;
    }

    private void advanced(long atMillis, long now) {
        if (firstStep < 0) {
            firstStep = now;
        }
        if (now < step) {
            // It went on from a checkpoint, and reports the losses after it again.
            losses.tailMap(now, false).clear();
        }
        step = now;
        if (steppedMillis.isEmpty() && now > firstStep) {
            steppedMillis = OptionalLong.of(atMillis);
            stepsThen = now - firstStep;
            membersThen = fields.has("members") ? fields.path("members") : membersThen;
        }
    }

    private void loss(JsonNode point) {
        losses.put(
                RecordedLine.whole("losses", point(point, 2, "losses").path(0), 0, MOST_STEPS),
                RecordedLine.number("losses", point.path(1)));
    }

    private void speed(JsonNode size) {
        point(size, 4, "speeds");
        speeds.put(
                new SizeOnNodes(
                        RecordedLine.size("speeds", size, 0), Math.max(1, RecordedLine.count("speeds", size, 2))),
                RecordedLine.positive("speeds", size.path(3)));
    }

    private void resize(JsonNode resize) {
        point(resize, 5, "resizes");
        if (!RecordedLine.size("resizes", resize, 0).isNone()) {
            pauseMillis.add((double) RecordedLine.whole("resizes", resize.path(4), 0, MOST_PAUSE_MILLIS));
        }
    }

    private static JsonNode point(JsonNode array, int length, String name) {
        if (!array.isArray() || array.size() != length) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" holds " + array + " in place of " + length + " numbers");
        }
        return array;
    }

    /** Notes the end of the job; throws if {@code end} is invalid. */
    void ended(long atMillis, JsonNode end) {
        endMillis = OptionalLong.of(atMillis);
        outcome = RecordedLine.text(end, "outcome");
        if (end.has("step")) {
            advanced(atMillis, RecordedLine.whole(end, "step", 0, MOST_STEPS));
        }
    }

    /** Notes that the job is not there any more, if nobody has told of its end. */
    void gone(long atMillis) {
        if (endMillis.isEmpty()) {
            endMillis = OptionalLong.of(atMillis);
            outcome = "ended unseen";
        }
    }

    String id() {
        return id;
    }

    JsonNode fields() {
        return fields;
    }

    private Allocation allocation(String name) {
        return fields.has(name) ? RecordedLine.size(name, fields.path(name), 0) : Allocation.NONE;
    }

    NavigableMap<Long, Double> losses() {
        return losses;
    }

    Map<SizeOnNodes, Double> speeds() {
        return speeds;
    }

    List<Double> pauseMillis() {
        return pauseMillis;
    }

    /** When it was first seen. */
    long firstMillis() {
        return firstMillis;
    }

    /** The step at which it was first seen, 0 or more. */
    long firstStep() {
        return Math.max(0, firstStep);
    }

    /** Its last known step. */
    long step() {
        return step;
    }

    /** When a plan first gave it tasks. */
    OptionalLong plannedMillis() {
        return plannedMillis;
    }

    /** When it was first seen to have stepped. */
    OptionalLong steppedMillis() {
        return steppedMillis;
    }

    /** The steps that it had done then, since it was first seen. */
    long stepsThen() {
        return stepsThen;
    }

    /** The parameter servers, workers and nodes that it trained on then. */
    JsonNode membersThen() {
        return membersThen;
    }

    /** When it ended, or was seen last. */
    long endMillis() {
        return endMillis.orElse(lastMillis);
    }

    String outcome() {
        return outcome;
    }
}
