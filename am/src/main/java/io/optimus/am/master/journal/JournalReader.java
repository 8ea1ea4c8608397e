package io.optimus.am.master.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What earlier ApplicationMasters of a job wrote in their journals, for one that takes over: its scheduler and its page
 * shall know the whole job. What cannot be read, such as a last line that was cut short, is left out.
 */
public final class JournalReader {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReader.class);

    private final ObjectMapper mapper = new ObjectMapper();
    private final TrainingHistory story;

    private JournalReader(TrainingMode mode) {
        this.story = new TrainingHistory(mode);
    }

    /**
     * The job's story up to {@code attempt}.
     *
     * @param firstJournal of attempt 1
     * @param nextStep which training goes on with: losses from there on will come again
     */
    public static TrainingHistory story(
            FileSystem fileSystem, Path firstJournal, TrainingMode mode, int attempt, long nextStep) {
        JournalReader earlier = new JournalReader(mode);
        for (int each = 1; each < attempt; each++) {
            earlier.read(fileSystem, FileJournal.ofAttempt(firstJournal, each));
        }
        earlier.story.steppedBackTo(nextStep);
        return earlier.story;
    }

    private void read(FileSystem fileSystem, Path journal) {
        try (var lines = new BufferedReader(new InputStreamReader(fileSystem.open(journal), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (FileNotFoundException never) {
            LOG.info("There is no {}: that attempt did not come as far", journal);
        } catch (IOException e) {
            LOG.warn("The journal of an earlier attempt is not read to its end: {}", e.toString());
        }
    }

    private void take(String line) {
        try {
            JsonNode event = mapper.readTree(line);
            switch (event.path("event").asText()) {
                case "loss" -> story.loss(new LossPoint(
                        event.required("step").asLong(), event.required("loss").asDouble()));
                case "speed" -> story.speed(speed(event));
                case "resize" -> story.resize(resize(event));
                case "stepped-back" -> story.steppedBackTo(event.required("to").asLong());
                default -> {}
            }
        } catch (JsonProcessingException | IllegalArgumentException notOurs) {
            LOG.debug("A line of a journal is left out: {}", line);
        }
    }

    private static PlacedSpeed speed(JsonNode event) {
        return new PlacedSpeed(
                new SpeedSample(
                        allocation(event, "ps", "workers"),
                        event.path("nodes").asInt(1),
                        event.required("stepsPerSecond").asDouble(),
                        event.required("seconds").asDouble()),
                event.hasNonNull("workerNode")
                        ? Optional.of(event.required("workerNode").asText())
                        : Optional.empty());
    }

    private static ResizeRecord resize(JsonNode event) {
        return new ResizeRecord(
                event.required("atMillis").asLong(),
                allocation(event, "fromPs", "fromWorkers"),
                allocation(event, "toPs", "toWorkers"),
                event.required("pauseMillis").asLong(),
                event.required("step").asLong(),
                event.required("exploring").asBoolean(),
                event.required("reason").asText(),
                event.required("plan").asLong(),
                event.required("planned").asBoolean());
    }

    private static Allocation allocation(JsonNode event, String servers, String workers) {
        return new Allocation(
                event.required(servers).asInt(), event.required(workers).asInt());
    }
}
