package io.optimus.sim.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** One file of a recording: JSON lines, compressed if its name ends with {@code .gz}. */
record RecordingFile(Path path, long beganMillis) {
    private static final String ENDING = ".jsonl";
    private static final String COMPRESSED = ENDING + ".gz";

    /** A line names every node and job of a cluster at most; 100,000 nodes take 20 MB. */
    private static final int LONGEST_LINE = 1 << 28;

    private static final long VERSION = 1;
    private static final ObjectReader JSON = new ObjectMapper().reader();

    /** All files in {@code folder} and below it whose names are those of recordings, in the order of their names. */
    static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> {
                        String name = file.getFileName().toString();
                        return !name.startsWith(".") && (name.endsWith(ENDING) || name.endsWith(COMPRESSED));
                    })
                    .sorted()
                    .toList();
        }
    }

    /**
     * Reads the first line of {@code path}; empty if the file is empty or has only a part of one, since its writer died.
     *
     * @throws IllegalArgumentException if the file is no recording
     */
    static Optional<RecordingFile> of(Path path) throws IOException {
        try (BufferedReader lines = open(path)) {
            Optional<Line> first = line(lines);
            if (first.isEmpty() || !first.get().whole()) {
                return Optional.empty();
            }
            RecordedLine begin = new RecordedLine(
                    path + ", line 1", parsed(first.get().text()).orElse(JSON.createObjectNode()));
            if (!begin.fields().path("event").asText().equals("begin")) {
                throw new IllegalArgumentException(
                        begin.place() + " does not begin a recording. Remedy: name a folder that"
                                + " yarn.scheduler.optimus.recording-folder named");
            }
            if (begin.fields().path("recording").asLong() != VERSION) {
                throw new IllegalArgumentException(begin.place() + " is of version "
                        + begin.fields().path("recording")
                        + ", which is not known here. Remedy: use the simulator of the"
                        + " version that recorded it");
            }
            try {
                return Optional.of(new RecordingFile(path, begin.atMillis()));
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(begin.place() + ": " + wrong.getMessage(), wrong);
            }
        }
    }

    /**
     * Gives all lines to {@code reader}, except a last one that was cut off when its writer died.
     *
     * @return whether the last line was cut off
     */
    boolean read(Consumer<RecordedLine> reader, Consumer<String> problems) throws IOException {
        int number = 0;
        try (BufferedReader lines = open(path)) {
            Optional<Line> next = line(lines);
            while (next.isPresent()) {
                Line line = next.get();
                number++;
                if (!line.whole()) {
                    return true;
                }
                String place = path + ", line " + number;
                Optional<JsonNode> fields = parsed(line.text());
                next = line(lines);
                if (fields.isPresent()) {
                    reader.accept(new RecordedLine(place, fields.get()));
                } else {
                    problems.accept(place + " is no line of a recording: it is no object in JSON");
                }
            }
            return false;
        } catch (ZipException damaged) {
            problems.accept(path + " cannot be read after line " + number + ": " + damaged.getMessage());
            return false;
        }
    }

    /** A line, and whether its end was there. */
    private record Line(String text, boolean whole) {}

    private static Optional<Line> line(BufferedReader in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return Optional.of(new Line(text.toString(), true));
            }
            if (text.length() == LONGEST_LINE) {
                throw new IOException("a line is longer than " + LONGEST_LINE + " characters");
            }
            text.append((char) next);
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(new Line(text.toString(), false));
    }

    private static BufferedReader open(Path path) throws IOException {
        InputStream in = Files.newInputStream(path);
        try {
            InputStream plain = path.toString().endsWith(".gz") ? new UpToTheCut(new GZIPInputStream(in)) : in;
            return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /** Ends where a compressed file was cut off. */
    private static final class UpToTheCut extends FilterInputStream {
        UpToTheCut(InputStream compressed) {
            super(compressed);
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            try {
                return super.read(into, from, most);
            } catch (EOFException cutOff) {
                return -1;
            }
        }
    }

    private static Optional<JsonNode> parsed(String line) {
        try {
            return Optional.of(JSON.readTree(line)).filter(JsonNode::isObject);
        } catch (JsonProcessingException | StackOverflowError e) {
            // Nobody nests values so deeply by chance.
            return Optional.empty();
        }
    }
}
