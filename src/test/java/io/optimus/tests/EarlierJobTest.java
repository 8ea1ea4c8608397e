package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Jobs go on from the checkpoint of a job that was killed, and start from the model of one that has finished. */
public class EarlierJobTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("earlier", 1, 0);

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void goesOnAfterAKillAndStartsFromTheModelAfterThat() throws Exception {
        SubmittedJob killed = submit("killed", List.of());
        Await.until("the job has a checkpoint", LIMIT, () -> hasCheckpoint(killed, 60));
        Path losses = folder(killed).resolve("journal.jsonl");
        Await.until(
                "its journal has a loss", LIMIT, () -> Files.readString(losses).contains("\"event\":\"loss\""));
        killed.kill();
        String id = killed.id().toString();

        SubmittedJob resumed = submit("resumed", List.of("start.resume=" + id, "stop.maxEpochs=8"));
        JsonNode result = resumed.result(LIMIT);

        assertThat(result.path("resumed").asText()).isEqualTo(id);
        assertThat(result.path("epochs").asDouble()).isGreaterThanOrEqualTo(8);
        List<String> journal = Files.readAllLines(folder(resumed).resolve("journal.jsonl"));
        assertThat(journal)
                .filteredOn(line -> line.contains("\"event\":\"loss\""))
                .as("the first steps are not done again")
                .isNotEmpty()
                .noneMatch(line -> step(line) <= 60);
        assertThat(Files.readString(folder(resumed).resolve("journal-0.jsonl"))).contains("\"event\":\"loss\"");
        assertThat(folder(killed).resolve("checkpoints")).isNotEmptyDirectory();

        Path model = resumed.output().resolve("model.bin");
        SubmittedJob warm = submit("warm", List.of("start.model=" + model, "stop.maxEpochs=1"));
        assertThat(warm.result(LIMIT).path("finalLoss").asDouble())
                .isLessThan(result.path("finalLoss").asDouble() * 1.05);
    }

    @Test
    public void namesTheDifferencesToAnotherModel() throws Exception {
        SubmittedJob small = submit("small", List.of("stop.maxEpochs=1", "model.hidden=[8]"));
        small.result(LIMIT);

        SubmittedJob other = submit(
                "other",
                List.of(
                        "start.model=" + small.output().resolve("model.bin"),
                        "model.hidden=[16]",
                        "roles.worker.retries=0"));
        Await.until("the job fails", LIMIT, other::ended);
        ApplicationReport report = CLUSTER.client().getApplicationReport(other.id());
        assertThat(report.getDiagnostics())
                .contains("start.model is of another model", "dense1.weight is [64, 8] in start.model and [64, 16]");
    }

    private static long step(String line) {
        return Long.parseLong(line.replaceFirst(".*\"step\":([0-9]+).*", "$1"));
    }

    private static boolean hasCheckpoint(SubmittedJob job, long step) throws Exception {
        Path checkpoints = folder(job).resolve("checkpoints");
        if (!Files.isDirectory(checkpoints)) {
            return false;
        }
        try (var files = Files.list(checkpoints)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("checkpoint-"))
                    .anyMatch(name -> Long.parseLong(name.split("-")[1]) > step);
        }
    }

    private static Path folder(SubmittedJob job) {
        return CLUSTER.folder()
                .resolve("home")
                .resolve(System.getProperty("user.name"))
                .resolve(job.id().toString());
    }

    private SubmittedJob submit(String name, List<String> overrides) throws Exception {
        Path folder = Files.createDirectories(CLUSTER.folder().resolve(name));
        Path file = Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: %s
                engine: emulated
                model: mlp
                dataset: digits
                globalBatch: 64
                optimizer: {kind: sgd, learningRate: 0.05, momentum: 0.9}
                stop: {maxEpochs: 100000}
                checkpoint: {everySteps: 50}
                emulated: {wraps: java, speed: {secondsFixed: 0.01}}
                roles:
                  worker: {memoryMb: 300}
                  ps: {memoryMb: 300}
                """
                        .formatted(name));
        return jobs.submit(file, overrides);
    }
}
