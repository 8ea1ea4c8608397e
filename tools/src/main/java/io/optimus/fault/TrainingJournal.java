package io.optimus.fault;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** When a job was how far, by the journals of all its attempts. */
final class TrainingJournal {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** An ApplicationMaster that goes on has read by then what its tasks have sent meanwhile. */
    private static final long SETTLES_MILLIS = 3_000;
    /** Journals have two points a second. */
    private static final long SHORTEST_GAP_MILLIS = 1_000;

    private final List<Point> points = new ArrayList<>();
    /** When an attempt took over what its tasks held. It tells some losses again that were told before. */
    private final NavigableSet<Long> takenOver = new TreeSet<>();

    private int attempts;

    /** The first {@code step} steps were done at {@code atMillis}. */
    private record Point(long atMillis, long step) {}

    private TrainingJournal() {}

    /** Reads the journals in the folder of {@code application} somewhere below {@code staging}. */
    static TrainingJournal of(Path staging, String application) throws IOException {
        TrainingJournal journal = new TrainingJournal();
        List<Path> files;
        try (Stream<Path> all = Files.walk(staging)) {
            files = all.filter(file -> file.getFileName().toString().matches("journal(-[0-9]+)?\\.jsonl"))
                    .filter(file -> file.toString().contains("/" + application + "/"))
                    .toList();
        }
        for (Path file : files) {
            journal.attempts++;
            for (String line : Files.readAllLines(file)) {
                journal.read(line);
            }
        }
        journal.points.sort(Comparator.comparingLong(Point::atMillis));
        return journal;
    }

    private void read(String line) {
        try {
            JsonNode event = JSON.readTree(line);
            if (event.path("event").asText().equals("loss")) {
                points.add(
                        new Point(event.path("at").asLong(), event.path("step").asLong()));
            } else if (event.path("event").asText().equals("goes-on")
                    && event.path("inMemory").asBoolean()) {
                takenOver.add(event.path("at").asLong());
            }
        } catch (JsonProcessingException e) {
            // A line that was cut short.
        }
    }

    int attempts() {
        return attempts;
    }

    /** Steps that were done again. */
    long stepsRedone() {
        long highest = -1;
        long redone = 0;
        Point before = new Point(Long.MIN_VALUE, -1);
        for (Point point : points) {
            boolean isToldAgain = !takenOver
                    .subSet(before.atMillis, true, point.atMillis, true)
                    .isEmpty();
            if (point.step <= before.step && !isToldAgain) {
                redone += highest - point.step + 1;
                highest = point.step - 1;
            }
            before = point;
            highest = Math.max(highest, point.step);
        }
        return redone;
    }

    /**
     * The longest time without steps that began in {@code [fromMillis, toMillis]} or went on then, in seconds. What a journal
     * that was not written for a while could not tell at the time counts as done evenly, at the usual speed.
     */
    double idleSeconds(long fromMillis, long toMillis) {
        double usual = usualMillisPerStep();
        double longest = 0;
        for (int i = 1; i < points.size(); i++) {
            Point before = points.get(i - 1);
            Point after = points.get(i);
            boolean isGap = after.atMillis - before.atMillis > Math.max(SHORTEST_GAP_MILLIS, 3 * usual);
            if (isGap && after.atMillis >= fromMillis && before.atMillis <= toMillis) {
                Point settled = settledAfter(i);
                double working = Math.max(0, settled.step - before.step) * usual;
                longest = Math.max(longest, (settled.atMillis - before.atMillis - working) / 1e3);
            }
        }
        return longest;
    }

    /** The first point by which steps that could not be told at the time have all been told. */
    private Point settledAfter(int index) {
        Point point = points.get(index);
        return points.subList(index, points.size()).stream()
                .filter(later -> later.atMillis >= point.atMillis + SETTLES_MILLIS)
                .findFirst()
                .orElse(points.get(points.size() - 1));
    }

    /** The longest time without steps of all. */
    double longestIdleSeconds() {
        return idleSeconds(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private double usualMillisPerStep() {
        double[] speeds = new double[Math.max(0, points.size() - 1)];
        for (int i = 1; i < points.size(); i++) {
            long steps = points.get(i).step - points.get(i - 1).step;
            long millis = points.get(i).atMillis - points.get(i - 1).atMillis;
            speeds[i - 1] = steps > 0 ? (double) millis / steps : Double.MAX_VALUE;
        }
        Arrays.sort(speeds);
        return speeds.length == 0 ? 0 : speeds[speeds.length / 2];
    }
}
