package io.optimus.sim.recording;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** A recording of two nodes with 4 GPUs each, and of all-reduce jobs that do one step a second and GPU. */
final class RecordedScript {
    private static final long START = 1_700_000_000_000L;

    private final List<String> lines = new ArrayList<>();
    private long round;

    /** The first line of a file. */
    RecordedScript begin(double seconds) {
        lines.add("{\"at\":" + millis(seconds) + ",\"event\":\"begin\",\"recording\":1}");
        return this;
    }

    private static long millis(double seconds) {
        return START + Math.round(seconds * 1000);
    }

    /** A round that names settings, nodes and the queue, and {@code jobs}. */
    RecordedScript first(double seconds, String policy, String... jobs) {
        String node = ",\"rack\":\"r\",\"capacity\":{\"yarn.io/gpu\":4},\"room\":{\"yarn.io/gpu\":4}}";
        return round(
                seconds,
                "\"settings\":{\"of\":\"rounds\",\"mode\":\"enforce\",\"roundIntervalMillis\":10000,"
                        + "\"assumedResizeMillis\":0,\"distributedJobsPerNode\":0,\"gpuTypes\":{}},"
                        + "\"nodes\":[{\"id\":\"n1\"" + node + ",{\"id\":\"n2\"" + node + "],"
                        + "\"queues\":[{\"queue\":\"root.a\",\"policy\":\"" + policy
                        + "\",\"jobsPerUser\":0,\"othersWait\":false,\"budget\":{\"yarn.io/gpu\":8},"
                        + "\"userBudgets\":{}}],",
                jobs);
    }

    RecordedScript round(double seconds, String more, String... jobs) {
        lines.add("{\"at\":" + millis(seconds) + ",\"event\":\"round\",\"round\":" + ++round
                + ",\"millis\":1,\"plan\":1,\"outcome\":\"planned\"," + more + "\"jobs\":["
                + String.join(",", jobs) + "]}");
        return this;
    }

    /** The scheduler starts anew and counts its rounds from 1. */
    RecordedScript restart() {
        round = 0;
        return this;
    }

    RecordedScript skipRounds(long count) {
        round += count;
        return this;
    }

    RecordedScript end(double seconds, String id, String outcome, long step) {
        lines.add("{\"at\":" + millis(seconds) + ",\"event\":\"end\",\"id\":\"" + id + "\",\"outcome\":\"" + outcome
                + "\",\"step\":" + step + "}");
        return this;
    }

    RecordedScript line(String text) {
        lines.add(text);
        return this;
    }

    /** All that a first round names of a job with 1 to 8 workers of one GPU, whose maximum of epochs is far away. */
    static String whole(String id, long step, String planned, String speeds) {
        return "{\"id\":\"" + id + "\",\"name\":\"name of " + id + "\",\"user\":\"ann\",\"queue\":\"root.a\","
                + "\"submittedMillis\":1,\"attempt\":1,\"workers\":{\"min\":1,\"max\":8,\"task\":{\"yarn.io/gpu\":1}},"
                + "\"mode\":\"synchronous\",\"globalBatch\":64,\"stepsPerEpoch\":100,\"stop\":[{\"maxEpochs\":1000}],"
                + "\"priority\":0,\"preemptible\":true,\"minRunSeconds\":0,\"gpuTypes\":[],\"state\":\"running\","
                + "\"members\":[0,0,0],\"step\":" + step + ",\"planned\":" + planned + ",\"speeds\":" + speeds + "}";
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    /** Writes the lines so far into a file and forgets them. */
    RecordedScript into(Path file) throws IOException {
        if (file.toString().endsWith(".gz")) {
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
                out.write(text().getBytes(StandardCharsets.UTF_8));
            }
        } else {
            Files.writeString(file, text());
        }
        lines.clear();
        return this;
    }
}
