package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.job.SharedFileSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/** Runs commands against a cluster in memory, in a folder with a job file. */
final class CommandRunner extends ExternalResource {
    static final String SMALLEST = "name: a\nengine: java\nmodel: mlp\ndataset: digits\n";

    final FakeClusterClient cluster = new FakeClusterClient();
    private final TemporaryFolder folder = new TemporaryFolder();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Override
    protected void before() throws IOException {
        folder.create();
        writeJobFile(SMALLEST);
        write("optimus-am.jar", "not a real jar");
    }

    @Override
    protected void after() {
        folder.delete();
    }

    /** Runs a command and returns its exit code. */
    int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (all.size() > 1) {
            all.addAll(1, List.of("-D", "fs.defaultFS=file:///"));
            all.addAll(1, List.of("-D", "yarn.optimus.staging-dir=" + staging().toUri()));
            all.addAll(1, List.of("-D", "yarn.optimus.jar=" + jar()));
            all.addAll(1, List.of("-D", "fs.shared.impl=" + SharedFileSystem.class.getName()));
        }
        return OptimusCommand.run(
                cluster, new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    }

    /** Submits the job file. */
    int submit(String... options) {
        return runWithJobFile("submit", options);
    }

    /** Validates the job file. */
    int validate(String... options) {
        return runWithJobFile("validate", options);
    }

    private int runWithJobFile(String command, String... options) {
        List<String> arguments = new ArrayList<>(List.of(command, jobFile().toString()));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    /** What the commands have printed. */
    String out() {
        return out.toString();
    }

    /** What the commands have printed to standard error. */
    String err() {
        return err.toString();
    }

    void clearOut() {
        out.getBuffer().setLength(0);
    }

    void clearErr() {
        err.getBuffer().setLength(0);
    }

    Path folder() {
        return folder.getRoot().toPath();
    }

    Path jobFile() {
        return folder().resolve("job.yaml");
    }

    Path jar() {
        return folder().resolve("optimus-am.jar");
    }

    Path staging() {
        return folder().resolve("staging");
    }

    Path userFolder() {
        return staging().resolve(System.getProperty("user.name"));
    }

    /** The staging folder of the job. */
    Path jobFolder() {
        return userFolder().resolve(FakeClusterClient.ID);
    }

    List<Path> jobFolders() throws IOException {
        if (!Files.exists(userFolder())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(userFolder())) {
            return files.filter(path -> !path.endsWith("cache")).toList();
        }
    }

    static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    void writeJobFile(String text) throws IOException {
        write("job.yaml", text);
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(folder().resolve(name), text);
    }

    void assertNothingHappened() throws IOException {
        assertThat(cluster.submitted).isEmpty();
        assertThat(jobFolders()).isEmpty();
    }

    /** The scheduler has the job on 1 ps and {@code workers} workers; its plan has {@code planned} workers. */
    void schedule(int workers, int planned) {
        String json =
                """
                {"id": "%s", "epoch": 3.21, "step": 140, "loss": 0.43213, "stepsPerSecond": 12.34,
                 "remainingTime": "5 to 40 min", "allocation": {"parameterServers": 1, "workers": %d},
                 "planned": {"parameterServers": 1, "workers": %d}, "reason": "largest gain", "paced": true}
                """
                        .formatted(FakeClusterClient.ID, workers, planned);
        try {
            SchedulerJob job = SchedulerJob.of(new ObjectMapper().readTree(json));
            cluster.scheduled.put(FakeClusterClient.ID, job);
        } catch (JsonProcessingException wrong) {
            throw new IllegalStateException(wrong);
        }
    }
}
