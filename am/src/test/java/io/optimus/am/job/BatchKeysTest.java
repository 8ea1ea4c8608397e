package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.optimus.am.yaml.FileProblem;
import io.optimus.model.throughput.BatchLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The section {@code batch} of job files. */
public final class BatchKeysTest {
    private static final String JOB = "name: a\nframework: python\nprogram: {script: train.py}\n";
    private static final String ALL_REDUCE = JOB + "communication: all-reduce\nroles: {worker: {min: 2, max: 4}}\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void writeScript() throws IOException {
        folder.newFile("train.py");
    }

    private JobSpec read(String text) throws IOException, InvalidJobFileException {
        return JobFile.read(write(text), List.of()).spec();
    }

    private Path write(String text) throws IOException {
        Path file = folder.getRoot().toPath().resolve("job.yaml");
        Files.writeString(file, text);
        return file;
    }

    private List<String> problems(String text) throws IOException {
        Path file = write(text);
        return catchThrowableOfType(InvalidJobFileException.class, () -> JobFile.read(file, List.of()))
                .problems()
                .stream()
                .map(FileProblem::toString)
                .toList();
    }

    @Test
    public void theBatchIsFixedUnlessAsked() throws IOException, InvalidJobFileException {
        assertThat(read(ALL_REDUCE).batch()).isEqualTo(BatchSpec.FIXED);
        assertThat(read(JOB).batch()).isEqualTo(BatchSpec.FIXED);
        assertThat(BatchSpec.FIXED.limits(48, 2)).isEqualTo(new BatchLimits(48, 48, 1, 48));
    }

    @Test
    public void readsEveryKey() throws IOException, InvalidJobFileException {
        JobSpec job =
                read(ALL_REDUCE + "batch: {initial: 48, max: 512, perWorkerMax: 64, adapt: true, accumulate: false}\n");
        assertThat(job.batch())
                .isEqualTo(new BatchSpec(OptionalInt.of(48), OptionalInt.of(512), OptionalInt.of(64), true, false));
        assertThat(JobSpecJson.read(JobSpecJson.write(job)).batch()).isEqualTo(job.batch());
    }

    @Test
    public void aWorkerComputesAtOnceWhatTheFewestWorkersDo() throws IOException, InvalidJobFileException {
        BatchSpec batch = read(ALL_REDUCE + "batch: {max: 512, adapt: true}\n").batch();
        assertThat(batch.limits(48, 2)).isEqualTo(new BatchLimits(48, 512, 1, 24));
    }

    @Test
    public void refusesOtherJobs() throws IOException {
        assertThat(problems(JOB + "batch: {max: 512, adapt: true}\n"))
                .hasSize(2)
                .allMatch(problem -> problem.contains("'communication: all-reduce'"));
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nbatch: {adapt: false}\n"))
                .singleElement()
                .asString()
                .contains("batch.adapt")
                .contains("'framework: python'");
    }

    @Test
    public void namesAllProblems() throws IOException {
        assertThat(problems(ALL_REDUCE + "batch: {adapt: true}\n"))
                .singleElement()
                .asString()
                .contains("batch.max")
                .contains("is required with 'adapt: true'");
        assertThat(problems(
                        ALL_REDUCE + "batch: {initial: 16, max: 3, perWorkerMax: 4, adapt: true, accumulate: false}\n"))
                .anyMatch(problem -> problem.contains("less than batch.initial, which is 16"))
                .anyMatch(problem -> problem.contains("too few for 4 workers"))
                .anyMatch(problem -> problem.contains("2 workers compute 4 samples each at once"))
                .hasSize(3);
        assertThat(problems(JOB + "communication: all-reduce\nbatch: {max: 64, adapt: true, accumulate: false}\n"))
                .singleElement()
                .asString()
                .contains("batch.accumulate")
                .contains("A single worker");
    }

    @Test
    public void theProgramsBatchMustFit() throws IOException, InvalidJobFileException {
        BatchSpec batch = read(ALL_REDUCE + "batch: {initial: 48, max: 64, adapt: true}\n")
                .batch();
        assertThat(batch.problem(48, 2)).isEmpty();
        assertThat(batch.problem(32, 2).orElseThrow()).contains("a batch of 32").contains("batch.initial is 48");
        BatchSpec free = read(ALL_REDUCE + "batch: {max: 64, adapt: true}\n").batch();
        assertThat(free.problem(65, 2).orElseThrow()).contains("raise batch.max to 65");
        BatchSpec atOnce = read(ALL_REDUCE + "batch: {max: 64, perWorkerMax: 8, adapt: true, accumulate: false}\n")
                .batch();
        assertThat(atOnce.problem(32, 2).orElseThrow()).contains("2 workers compute 8 samples each");
        assertThat(atOnce.onWorkers(atOnce.limits(16, 2), 4).maxBatch()).isEqualTo(32);
        assertThat(atOnce.onWorkers(atOnce.limits(16, 2), 1).maxBatch()).isEqualTo(16);
    }
}
