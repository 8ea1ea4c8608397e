package io.optimus.yarn.soak;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a soak does.
 *
 * @param kind which applications come, and what happens to them
 * @param minutes during which applications arrive and events happen; it ends when all applications have ended
 * @param seed of everything random
 * @param jobs training jobs
 * @param failovers at even distances
 * @param delaySeconds from a directive until a master acts, of kind {@code START} only
 * @param output folder of the report and the log
 */
record SoakOptions(Kind kind, double minutes, long seed, int jobs, int failovers, double delaySeconds, Path output) {
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double MILLIS = 1000;
    /** So that jobs of {@link Kind#EVENTS} keep about half of the GPUs busy, and ordinary applications most of the others. */
    private static final double GPUS_FOR_ONE = 2;

    /** Which applications come, and what happens to them. */
    enum Kind {
        /** Jobs and ordinary applications of all sorts, with all kinds of events. */
        EVENTS,
        /** Short jobs that come and go, without events but failovers. */
        CHURN,
        /** Jobs that arrive together on four idle GPUs each, beside a thousand ordinary applications. */
        START
    }

    /** The options in the system properties {@code soak.kind}, {@code .minutes} and so on. */
    static SoakOptions ofProperties() {
        List<String> problems = new ArrayList<>();
        Kind kind = Kind.EVENTS;
        String word = System.getProperty("soak.kind", "events").toUpperCase(Locale.ROOT);
        try {
            kind = Kind.valueOf(word);
        } catch (IllegalArgumentException e) {
            problems.add("kind=" + word + " is none of " + List.of(Kind.values()));
        }
        double minutes = number("minutes", "2", 0.1, 10_000, problems);
        SoakOptions options = new SoakOptions(
                kind,
                minutes,
                (long) number("seed", "1", 0, 1e15, problems),
                (int) number("jobs", String.valueOf(Math.max(1, Math.round(minutes * 8))), 1, 100_000, problems),
                (int) number("failovers", String.valueOf((int) Math.max(1, minutes / 10)), 0, 10_000, problems),
                number("delay", "0", 0, 3600, problems),
                Path.of(System.getProperty("soak.output", "target/soak")));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return options;
    }

    private static double number(String name, String otherwise, double least, double most, List<String> problems) {
        String text = System.getProperty("soak." + name, otherwise);
        try {
            double value = Double.parseDouble(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Named below, like a number out of range.
        }
        problems.add(name + "=" + text + " is not a number from " + least + " to " + most);
        return least;
    }

    long millis() {
        return Math.round(minutes * SECONDS_PER_MINUTE * MILLIS);
    }

    /** Seconds that a job takes on a medium size. */
    double jobSeconds() {
        return switch (kind) {
            case EVENTS -> Math.max(8, Math.min(90, minutes * 5));
            case CHURN -> 20;
            case START -> minutes * SECONDS_PER_MINUTE / 6;
        };
    }

    int nodes() {
        if (kind == Kind.START) {
            return jobs;
        }
        double busy = jobs * jobSeconds() * Scenario.MEDIUM_WORKERS / (minutes * SECONDS_PER_MINUTE);
        return (int) Math.max(6, Math.ceil(GPUS_FOR_ONE * busy / SoakCluster.GPUS_PER_NODE));
    }
}
