package io.optimus.sim.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One line of a recording. What is read of it is checked; what is wrong throws an {@link IllegalArgumentException} that says so.
 *
 * @param place file and line number
 * @param fields its fields
 */
record RecordedLine(String place, JsonNode fields) {
    /** Later than any clock of ours; keeps sums of times from overflowing. */
    private static final long LATEST_MILLIS = 100_000_000_000_000L;

    /** More than any node or queue has of a resource. */
    private static final long MOST_OF_A_RESOURCE = 1L << 50;

    private static final int MOST_TASKS = 1_000_000;
    private static final int LONGEST_TEXT = 4096;

    long atMillis() {
        return whole(fields, "at", 0, LATEST_MILLIS);
    }

    String event() {
        return text(fields, "event");
    }

    static String text(JsonNode fields, String name) {
        JsonNode value = fields.path(name);
        if (!value.isTextual() || value.asText().length() > LONGEST_TEXT) {
            throw new IllegalArgumentException("\"" + name + "\" is no text of up to " + LONGEST_TEXT + " characters");
        }
        return value.asText();
    }

    static long whole(JsonNode fields, String name, long least, long most) {
        return whole(name, fields.path(name), least, most);
    }

    static long whole(String name, JsonNode value, long least, long most) {
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least || value.asLong() > most) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no whole number from " + least + " to " + most + ", but " + value);
        }
        return value.asLong();
    }

    static double number(String name, JsonNode value) {
        if (!value.isNumber() || !Double.isFinite(value.asDouble())) {
            throw new IllegalArgumentException("\"" + name + "\" is no finite number, but " + value);
        }
        return value.asDouble();
    }

    static double positive(String name, JsonNode value) {
        double number = number(name, value);
        if (!(number > 0)) {
            throw new IllegalArgumentException("\"" + name + "\" is not above 0, but " + value);
        }
        return number;
    }

    /** The parameter servers and workers at {@code from} and the place after it in an array. */
    static Allocation size(String name, JsonNode array, int from) {
        return new Allocation(count(name, array, from), count(name, array, from + 1));
    }

    /** A number of tasks or nodes in an array. */
    static int count(String name, JsonNode array, int index) {
        return (int) whole(name, array.path(index), 0, MOST_TASKS);
    }

    /** Takes changed fields over into {@code all}; those that are null are gone. */
    static void merge(ObjectNode all, JsonNode changed) {
        changed.fields().forEachRemaining(field -> {
            if (field.getValue().isNull()) {
                all.remove(field.getKey());
            } else {
                all.set(field.getKey(), field.getValue());
            }
        });
    }

    static Resources resources(JsonNode fields, String name) {
        JsonNode amounts = fields.path(name);
        if (!amounts.isObject()) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no object with amounts by resource, but " + amounts);
        }
        SortedMap<String, Long> byName = new TreeMap<>();
        amounts.fields()
                .forEachRemaining(amount -> byName.put(
                        amount.getKey(),
                        whole(amount.getKey(), amount.getValue(), -MOST_OF_A_RESOURCE, MOST_OF_A_RESOURCE)));
        return Resources.of(byName);
    }
}
