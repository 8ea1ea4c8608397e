package io.optimus.sim.trace.recorded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.trace.Header;
import io.optimus.sim.trace.ProblemsException;
import io.optimus.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads journals that ApplicationMasters kept: JSON lines with the losses, speeds and resizes of one job. All journals in a
 * folder, and in folders below it, are one workload. Jobs that never stepped are left out.
 */
public final class RecordingsReader implements TraceReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ENDING = ".jsonl";

    @Override
    public String kind() {
        return "recorded journal, or a folder of them";
    }

    @Override
    public String headerInWords() {
        return "{\"at\":…,\"event\":…}";
    }

    @Override
    public Header header() {
        return Header.NONE;
    }

    @Override
    public boolean recognises(String firstLine) {
        return firstLine.stripLeading().startsWith("{");
    }

    @Override
    public Workload read(Path path, Surroundings surroundings) throws IOException, ProblemsException {
        List<String> problems = new ArrayList<>();
        List<Recording> recordings = new ArrayList<>();
        for (Path file : journals(path)) {
            read(file, problems).ifPresent(recordings::add);
        }
        if (problems.isEmpty() && recordings.isEmpty()) {
            problems.add(path + " has no journal (*" + ENDING + ") of a job that stepped");
        }
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        long first = recordings.stream().mapToLong(Recording::beganMillis).min().orElseThrow();
        Set<String> ids = new HashSet<>();
        List<SimulatedJob> jobs = new ArrayList<>();
        for (Recording recording : recordings) {
            String id = recording.application();
            while (!ids.add(id)) {
                id += "'";
            }
            jobs.add(recording.simulated(id, first));
        }
        return new Workload(path.getFileName().toString(), jobs);
    }

    private static List<Path> journals(Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        try (Stream<Path> all = Files.walk(path)) {
            return all.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.endsWith(ENDING) && !name.startsWith(".");
                    })
                    .sorted()
                    .toList();
        }
    }

    /** A last line that was cut off when its writer died is no problem. */
    private static Optional<Recording> read(Path file, List<String> problems) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Recording recording = new Recording(
                file.getParent() == null
                        ? "job"
                        : file.getParent().getFileName().toString());
        for (int i = 0; i < lines.size(); i++) {
            try {
                JsonNode event = JSON.readTree(lines.get(i));
                recording.take(event);
            } catch (JsonProcessingException | IllegalArgumentException bad) {
                if (i < lines.size() - 1) {
                    problems.add(file + ", line " + (i + 1) + " is no event of a journal");
                }
            }
        }
        return recording.stepped() ? Optional.of(recording) : Optional.empty();
    }
}
