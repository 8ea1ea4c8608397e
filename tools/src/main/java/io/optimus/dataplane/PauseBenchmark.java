package io.optimus.dataplane;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.wire.TaskId;
import io.optimus.local.PauseListener;
import io.optimus.model.numerics.Medians;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Measures how long training stands still when a worker or a parameter server joins, leaves or is lost, with models of several
 * sizes. Workers compute nothing. A pause is the time from the end of the last step before to the beginning of the first one after.
 */
public final class PauseBenchmark implements AutoCloseable {
    private static final int FLOATS_PER_MEGABYTE = 1_000_000 / Float.BYTES;
    /** Training goes on for so long before the next event. */
    private static final long BETWEEN_MILLIS = 1_000;

    /** MiB that do not grow with the model. */
    private static final int OWN_MB = 512;
    /** Copies of the model in the heap. */
    private static final int HEAP_COPIES = 5;
    /** Copies of the model in direct buffers. */
    private static final int DIRECT_COPIES = 10;

    private static final String JOB_FILE =
            """
            name: pauses
            engine: java
            model: mlp
            dataset: digits
            mode: synchronous
            globalBatch: 64
            optimizer: {kind: sgd, learningRate: 0.001, momentum: 0}
            stop: {maxEpochs: 10000000}
            checkpoint: {everySteps: 1000000000, everySeconds: 5}
            roles:
              worker: {min: 1, max: 3, memoryMb: 2048}
              ps: {min: 1, max: 2, memoryMb: 2048}
            """;

    private final IdleJob job;
    private final PauseListener listener = new PauseListener();
    private final TaskProcess.Memory memory;
    private final Map<TaskId, TaskProcess> processes = new HashMap<>();
    private final Set<TaskId> members = new TreeSet<>();
    private final Map<String, Long> pauses = new LinkedHashMap<>();

    private PauseBenchmark(int megabytes, Path folder) throws IOException, InvalidJobFileException {
        IdleModel model = IdleModel.of(megabytes * FLOATS_PER_MEGABYTE);
        this.job = new IdleJob(JOB_FILE, model, folder, false, Optional.of(listener));
        this.memory = new TaskProcess.Memory(OWN_MB + HEAP_COPIES * megabytes, OWN_MB + DIRECT_COPIES * megabytes);
    }

    /**
     * Takes {@code FOLDER FILE ROUNDS MOST_MILLIS [MEGABYTES ...]}: an empty folder for logs and checkpoints, the file for the figures,
     * the number of rounds, the limit on the median pause in milliseconds (above it, the exit status is 1), and the sizes of the models.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, InvalidJobFileException {
        Path folder = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
        Path file = Path.of(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        double most = Double.parseDouble(arguments[3]);
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ArrayNode results = json.createArrayNode();
        List<String> tooLong = new ArrayList<>();
        System.out.printf("%-10s %-16s %12s %12s%n", "megabytes", "event", "median ms", "longest ms");
        for (int megabytes :
                Arrays.stream(arguments).skip(4).mapToInt(Integer::parseInt).toArray()) {
            Map<String, List<Long>> pauses = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                Path ofRound = Files.createDirectory(folder.resolve(megabytes + "MB-" + round));
                try (PauseBenchmark benchmark = new PauseBenchmark(megabytes, ofRound)) {
                    benchmark.run().forEach((event, millis) -> pauses.computeIfAbsent(event, first -> new ArrayList<>())
                            .add(millis));
                }
                delete(ofRound);
            }
            pauses.forEach((event, millis) -> {
                double median = Medians.mean(
                        millis.stream().mapToDouble(Long::doubleValue).toArray());
                long longest = millis.stream().mapToLong(Long::longValue).max().orElse(0);
                System.out.printf(Locale.ROOT, "%-10d %-16s %12.0f %12d%n", megabytes, event, median, longest);
                ArrayNode all = results.addObject()
                        .put("megabytes", megabytes)
                        .put("event", event)
                        .put("medianMillis", median)
                        .put("longestMillis", longest)
                        .putArray("pauseMillis");
                millis.forEach(all::add);
                if (median > most) {
                    tooLong.add(event + " with " + megabytes + " MB");
                }
            });
        }
        json.writeValue(file.toFile(), results);
        System.out.println("written: " + file);
        if (!tooLong.isEmpty()) {
            System.err.println("Longer than " + most + " ms: " + String.join(", ", tooLong));
            System.exit(1);
        }
    }

    /** Checkpoints of large models would fill the disk. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** The pause of each event. */
    private Map<String, Long> run() throws IOException, InterruptedException {
        TaskId server = TaskId.server(0);
        TaskId otherServer = TaskId.server(1);
        TaskId worker = TaskId.worker(1);
        TaskId otherWorker = TaskId.worker(2);
        for (TaskId first : List.of(server, TaskId.worker(0), worker)) {
            begin(first);
        }
        job.target(members);
        listener.awaitStart();
        joins("worker joins", otherWorker);
        leaves("worker leaves", otherWorker);
        joins("server joins", otherServer);
        leaves("server leaves", otherServer);
        isLost("worker lost", worker);
        begin(TaskId.server(2));
        job.target(members);
        listener.plannedPause();
        listener.awaitCheckpoint();
        isLost("server lost", server);
        return pauses;
    }

    private void begin(TaskId task) throws IOException, InterruptedException {
        TaskProcess process = job.start(task, memory);
        process.ignoreOutput();
        processes.put(task, process);
        members.add(task);
        listener.awaitReady(task);
    }

    private void joins(String event, TaskId task) throws IOException, InterruptedException {
        begin(task);
        resize(event);
    }

    private void leaves(String event, TaskId task) throws InterruptedException {
        members.remove(task);
        resize(event);
    }

    private void resize(String event) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        job.target(members);
        pauses.put(event, listener.plannedPause());
    }

    private void isLost(String event, TaskId task) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(BETWEEN_MILLIS);
        Objects.requireNonNull(processes.get(task)).close();
        members.remove(task);
        pauses.put(event, listener.pauseOfLoss(task.role()));
        job.target(members);
    }

    @Override
    public void close() {
        job.close();
    }
}
