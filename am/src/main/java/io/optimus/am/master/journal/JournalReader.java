package io.optimus.am.master.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.checkpoint.StoreOutage;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.master.journal.ResizeRecord.ResizeReason;
import io.optimus.am.master.journal.TrainingHistory.PlacedSpeed;
import io.optimus.am.master.journal.TrainingHistory.PlacedSteps;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journals of earlier attempts, so that a new ApplicationMaster knows the whole training history. Lines that
 * cannot be read, such as a last line that was cut short, are skipped.
 */
public final class JournalReader {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReader.class);

    /** The event of a task that can be called. */
    public static final String REACHABLE = "task-reachable";

    /** The event of a container that YARN says has ended. */
    public static final String CONTAINER_ENDED = "container-ended";

    /** The event of more memory for the tasks of a role. */
    public static final String MEMORY_RAISED = "memory-raised";

    /** The event of a training that has ended with its result. */
    public static final String FINISHED = "finished";

    private final ObjectMapper mapper = new ObjectMapper();
    private final TrainingHistory history;
    private boolean resizes = true;

    /** A DataNode that restarts is back by then. An attempt that has not registered for ten minutes is given up by YARN. */
    private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(30);

    private JournalReader(TrainingMode mode) {
        this.history = new TrainingHistory(mode);
    }

    /**
     * Returns the training history before {@code attempt}. The journal of attempt 0 is that of the job that this one
     * resumes, if there is one. Its resizes are left out: this job has not paused for them.
     *
     * @param firstJournal journal of attempt 1
     * @param nextStep the step that training goes on with: losses from there on will come again
     */
    public static TrainingHistory historyBefore(
            FileSystem fileSystem, Path firstJournal, TrainingMode mode, int attempt, long nextStep) {
        JournalReader reader = new JournalReader(mode);
        reader.readEarlierJob(fileSystem, FileJournal.ofAttempt(firstJournal, 0));
        for (int each = 1; each < attempt; each++) {
            reader.read(fileSystem, FileJournal.ofAttempt(firstJournal, each));
        }
        reader.history.stepBackTo(nextStep);
        return reader.history;
    }

    /**
     * Returns the addresses of the tasks of all attempts before {@code attempt}, by container. A coordinator that takes over calls
     * them there. Tasks that have ended since the last attempt wrote its journal are among them.
     *
     * @param firstJournal journal of attempt 1
     */
    public static Map<String, ServerAddress> tasksBefore(FileSystem fileSystem, Path firstJournal, int attempt) {
        Map<String, ServerAddress> tasks = new TreeMap<>();
        events(fileSystem, firstJournal, attempt, (name, event) -> {
            switch (name) {
                case REACHABLE -> tasks.put(event.required("container").asText(), address(event));
                case CONTAINER_ENDED -> tasks.remove(event.required("container").asText());
                default -> {}
            }
        });
        return tasks;
    }

    /**
     * Returns the result of a training that an attempt before {@code attempt} has ended, whose ApplicationMaster was lost before
     * YARN knew of it; empty if training goes on.
     *
     * @param firstJournal journal of attempt 1
     */
    public static Optional<TrainingResult> resultBefore(FileSystem fileSystem, Path firstJournal, int attempt) {
        List<TrainingResult> results = new ArrayList<>();
        events(fileSystem, firstJournal, attempt, (name, event) -> {
            if (name.equals(FINISHED)) {
                results.add(JournalFields.result(event));
            }
        });
        return results.stream().findFirst();
    }

    /**
     * Returns the memory with which tasks started last before {@code attempt}, MiB by role, where it was raised.
     *
     * @param firstJournal journal of attempt 1
     */
    public static Map<Role, Long> memoryBefore(FileSystem fileSystem, Path firstJournal, int attempt) {
        Map<Role, Long> memoryMb = new EnumMap<>(Role.class);
        events(fileSystem, firstJournal, attempt, (name, event) -> {
            if (name.equals(MEMORY_RAISED)) {
                memoryMb.put(
                        Role.valueOf(event.required("role").asText()),
                        event.required("memoryMb").asLong());
            }
        });
        return memoryMb;
    }

    /** Passes on all events of the attempts before {@code attempt}, with their names. */
    private static void events(
            FileSystem fileSystem, Path firstJournal, int attempt, BiConsumer<String, JsonNode> each) {
        ObjectMapper mapper = new ObjectMapper();
        for (int earlier = 1; earlier < attempt; earlier++) {
            lines(fileSystem, FileJournal.ofAttempt(firstJournal, earlier), line -> {
                try {
                    JsonNode event = mapper.readTree(line);
                    each.accept(event.path("event").asText(), event);
                } catch (JsonProcessingException | IllegalArgumentException invalid) {
                    LOG.debug("A line of a journal is skipped: {}", line);
                }
            });
        }
    }

    private static ServerAddress address(JsonNode event) {
        return new ServerAddress(
                TaskId.parse(event.required("task").asText()),
                event.required("host").asText(),
                event.required("port").asInt());
    }

    private void readEarlierJob(FileSystem fileSystem, Path journal) {
        try {
            if (fileSystem.exists(journal)) {
                resizes = false;
                read(fileSystem, journal);
                resizes = true;
            }
        } catch (IOException e) {
            LOG.warn("The journal of the resumed job cannot be found: {}", e.toString());
        }
    }

    private void read(FileSystem fileSystem, Path journal) {
        lines(fileSystem, journal, this::take);
    }

    /** Where the file system fails in between, goes on with the line that it failed at. */
    private static void lines(FileSystem fileSystem, Path journal, Consumer<String> each) {
        AtomicLong taken = new AtomicLong();
        try {
            new StoreOutage(LONGEST_OUTAGE)
                    .call(
                            () -> readOn(fileSystem, journal, taken, each),
                            problem -> LOG.warn("The journal of an earlier attempt cannot be read: {}", problem));
        } catch (IOException e) {
            LOG.warn("The journal of an earlier attempt cannot be read to its end: {}", e.toString());
        }
    }

    /** Passes on the lines that follow the first {@code taken}, and returns how many there are in all. */
    private static long readOn(FileSystem fileSystem, Path journal, AtomicLong taken, Consumer<String> each)
            throws IOException {
        try (var lines = new BufferedReader(new InputStreamReader(fileSystem.open(journal), StandardCharsets.UTF_8))) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (++number > taken.get()) {
                    taken.set(number);
                    each.accept(line);
                }
            }
        } catch (FileNotFoundException missing) {
            LOG.info("There is no {}: that attempt ended before it began one", journal);
        }
        return taken.get();
    }

    private void take(String line) {
        try {
            JsonNode event = mapper.readTree(line);
            switch (event.path("event").asText()) {
                case "loss" -> history.addLoss(new LossPoint(
                        event.required("step").asLong(), event.required("loss").asDouble()));
                case "speed" -> history.addSpeed(speed(event));
                case "step-times" -> history.addStepTimes(stepTimes(event));
                case "reported" -> history.addReport(report(event));
                case "resize" -> {
                    if (resizes) {
                        history.addResize(resize(event));
                    }
                }
                case "stepped-back" -> history.stepBackTo(event.required("to").asLong());
                case "goes-on" -> history.stepBackTo(event.required("step").asLong());
                default -> {}
            }
        } catch (JsonProcessingException | IllegalArgumentException invalid) {
            LOG.debug("A line of a journal is skipped: {}", line);
        }
    }

    private static ProgramReport report(JsonNode event) {
        Map<String, Double> values = new TreeMap<>();
        event.required("values")
                .fields()
                .forEachRemaining(one -> values.put(one.getKey(), one.getValue().asDouble()));
        return new ProgramReport(
                event.required("step").asLong(), event.required("epoch").asInt(), values);
    }

    private static PlacedSpeed speed(JsonNode event) {
        return new PlacedSpeed(
                new SpeedSample(
                        allocation(event, "ps", "workers"),
                        event.path("nodes").asInt(1),
                        event.required("stepsPerSecond").asDouble(),
                        event.required("seconds").asDouble()),
                workerNode(event));
    }

    private static PlacedSteps stepTimes(JsonNode event) {
        return new PlacedSteps(
                new ThroughputObservation(
                        event.required("nodes").asInt(),
                        event.required("workers").asInt(),
                        event.required("samplesAtATime").asInt(),
                        event.required("gradientSeconds").asDouble(),
                        event.required("stepSeconds").asDouble()),
                workerNode(event));
    }

    private static Optional<String> workerNode(JsonNode event) {
        return event.hasNonNull("workerNode")
                ? Optional.of(event.required("workerNode").asText())
                : Optional.empty();
    }

    private static ResizeRecord resize(JsonNode event) {
        return new ResizeRecord(
                event.required("atMillis").asLong(),
                allocation(event, "fromPs", "fromWorkers"),
                allocation(event, "toPs", "toWorkers"),
                event.required("pauseMillis").asLong(),
                event.required("step").asLong(),
                new ResizeReason(
                        event.required("planned").asBoolean(),
                        event.required("plan").asLong(),
                        event.required("exploring").asBoolean(),
                        event.required("reason").asText()));
    }

    private static Allocation allocation(JsonNode event, String servers, String workers) {
        return new Allocation(
                event.required(servers).asInt(), event.required(workers).asInt());
    }
}
