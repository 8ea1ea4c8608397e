package io.optimus.sim.trace.recorded;

import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.CsvHeader;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads journals that ApplicationMasters kept: JSON lines with the losses, speeds and resizes of one job. All journals in a
 * folder, and in folders below it, are one workload; those of the same application are one job. Jobs that never stepped are
 * left out.
 */
public final class RecordingsReader implements TraceReader {
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
    public CsvHeader header() {
        return CsvHeader.NONE;
    }

    @Override
    public boolean recognises(String firstLine) {
        return firstLine.stripLeading().startsWith("{");
    }

    @Override
    public Workload read(Path path, Surroundings surroundings) throws IOException, InvalidInputException {
        List<String> problems = new ArrayList<>();
        SortedMap<String, List<JournalFile>> byApplication = new TreeMap<>();
        for (Path file : journals(path)) {
            JournalFile journal = JournalFile.read(file, problems);
            byApplication
                    .computeIfAbsent(journal.application(), application -> new ArrayList<>())
                    .add(journal);
        }
        List<Recording> recordings = new ArrayList<>();
        byApplication.forEach((application, files) -> recordings.add(recording(application, files, problems)));
        recordings.removeIf(recording -> !recording.stepped());
        if (problems.isEmpty() && recordings.isEmpty()) {
            problems.add(path + " has no journal (*" + ENDING + ") of a job that stepped");
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        long first = recordings.stream().mapToLong(Recording::beganMillis).min().orElseThrow();
        return new Workload(
                path.getFileName().toString(),
                recordings.stream().map(recording -> recording.simulated(first)).toList());
    }

    /** Joins the journals of all ApplicationMasters of a job. */
    private static Recording recording(String application, List<JournalFile> files, List<String> problems) {
        Recording recording = new Recording(application);
        files.stream()
                .sorted(Comparator.comparingLong(JournalFile::beganMillis))
                .flatMap(file -> file.events().stream())
                .forEach(event -> {
                    try {
                        recording.take(event);
                    } catch (IllegalArgumentException wrong) {
                        problems.add(event.place() + " is no event of a journal: " + wrong.getMessage());
                    }
                });
        return recording;
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
}
