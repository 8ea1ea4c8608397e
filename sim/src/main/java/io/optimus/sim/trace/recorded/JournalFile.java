package io.optimus.sim.trace.recorded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The journal of one ApplicationMaster of a job. A job whose ApplicationMaster was lost has several.
 *
 * @param application id of the application, or the name of the folder if the journal has no id
 * @param events events in order of time
 */
record JournalFile(String application, List<Event> events) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One line of a journal.
     *
     * @param place file and line number
     * @param fields fields of the event
     */
    record Event(String place, JsonNode fields) {
        long atMillis() {
            return fields.path("at").asLong();
        }

        String kind() {
            return fields.path("event").asText();
        }
    }

    JournalFile {
        events = List.copyOf(events);
    }

    /** Reads {@code file}; adds malformed lines to {@code problems}, except a last one cut off when its writer died. */
    static JournalFile read(Path file, List<String> problems) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String place = file + ", line " + (i + 1);
            Optional<JsonNode> fields = parsed(lines.get(i));
            if (fields.isPresent()) {
                events.add(new Event(place, fields.get()));
            } else if (i < lines.size() - 1) {
                problems.add(place + " is no event of a journal: it is no object in JSON");
            }
        }
        return new JournalFile(application(file, events), events);
    }

    private static Optional<JsonNode> parsed(String line) {
        try {
            return Optional.of(JSON.readTree(line)).filter(JsonNode::isObject);
        } catch (JsonProcessingException cutOff) {
            return Optional.empty();
        }
    }

    private static String application(Path file, List<Event> events) {
        Path folder = file.toAbsolutePath().getParent();
        return events.stream()
                .filter(event -> event.kind().equals("started"))
                .map(event -> event.fields().path("application").asText())
                .filter(application -> !application.isEmpty())
                .findFirst()
                .orElse(
                        folder == null || folder.getFileName() == null
                                ? "job"
                                : folder.getFileName().toString());
    }

    long beganMillis() {
        return events.stream().mapToLong(Event::atMillis).min().orElse(Long.MAX_VALUE);
    }
}
