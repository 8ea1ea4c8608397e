package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.tests.SubmittedJob.CommandOutput;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tests {@code scripts/local-cluster}, which starts daemons in processes of their own, for several clusters on one machine. */
public class LocalClusterScriptTest {
    @Rule
    public final Timeout timeout = new Timeout(6, TimeUnit.MINUTES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path first;
    private Path second;

    @Before
    public void isBuilt() {
        first = folder.getRoot().toPath().resolve("first");
        second = folder.getRoot().toPath().resolve("second");
        Script.assumeBuilt();
    }

    @After
    public void stop() throws Exception {
        localCluster("stop", first);
        localCluster("stop", second);
    }

    @Test
    public void twoClustersRunBesideEachOtherAndLeaveNothing() throws Exception {
        start(first);
        start(second);

        assertThat(plan(first)).contains("\"mode\":\"enforce\"");
        assertThat(plan(second)).contains("\"mode\":\"enforce\"");
        assertThat(localCluster("start", first).text()).contains("a cluster runs in");
        assertThat(run(Script.named("optimus"), "--run-dir", first.toString(), "list")
                        .exit())
                .isZero();

        assertThat(processesOf(first))
                .as("the processes have no file of their starter open")
                .isNotEmpty()
                .allSatisfy(process -> assertThat(filesOpenIn(process)).doesNotContain(lockFile()));

        Process reader = new ProcessBuilder("sleep", "600")
                .directory(first.resolve("nodes/1/logs").toFile())
                .start();
        try {
            assertThat(localCluster("stop", first).exit()).isZero();
            assertThat(reader.isAlive())
                    .as("a process that only reads logs there is alive")
                    .isTrue();
        } finally {
            reader.destroyForcibly().waitFor();
        }
        assertThat(processesOf(first)).isEmpty();
        assertThat(localCluster("status", first).exit()).isEqualTo(1);
        assertThat(localCluster("status", second).exit()).isZero();

        CommandOutput again = localCluster("stop", first);
        assertThat(again.exit()).isZero();
        assertThat(again.text()).contains("Nothing runs");
        assertThat(localCluster("stop", second).exit()).isZero();
        assertThat(processesOf(second)).isEmpty();
    }

    @Test
    public void aFolderWithOtherFilesIsNotEmptied() throws Exception {
        Path logs = Files.createDirectories(first.resolve("logs"));
        Path precious = Files.writeString(logs.resolve("precious.txt"), "mine");

        CommandOutput refused = localCluster("start", first);

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.text()).contains(first.toString(), "name a new or an empty folder");
        assertThat(precious).hasContent("mine");
    }

    /** Starts a cluster from a shell that has the lock file open. */
    private void start(Path runDir) throws Exception {
        CommandOutput output = run(
                "/bin/bash",
                "-c",
                "exec 9>\"$0\"; exec \"$@\"",
                lockFile().toString(),
                Script.named("local-cluster"),
                "start",
                "--nodes",
                "1",
                "--gpus-per-node",
                "2",
                "--run-dir",
                runDir.toString());
        assertThat(output.exit()).as(output.text()).isZero();
    }

    private Path lockFile() {
        return folder.getRoot().toPath().resolve("lock");
    }

    private static List<Path> filesOpenIn(long process) {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process + "/fd"))) {
            return descriptors
                    .flatMap(descriptor -> {
                        try {
                            return Stream.of(Files.readSymbolicLink(descriptor));
                        } catch (IOException closedMeanwhile) {
                            return Stream.of();
                        }
                    })
                    .toList();
        } catch (IOException ended) {
            return List.of();
        }
    }

    private CommandOutput localCluster(String word, Path runDir) throws Exception {
        return run(Script.named("local-cluster"), word, "--run-dir", runDir.toString());
    }

    private CommandOutput run(String script, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(script));
        command.addAll(List.of(words));
        return Script.run(folder.getRoot().toPath(), command);
    }

    private static String plan(Path runDir) throws Exception {
        String port = Files.readString(runDir.resolve("web-port")).strip();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/ws/v1/optimus/plan"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static List<Long> processesOf(Path runDir) throws IOException {
        String mark = "-Doptimus.run.dir=" + runDir;
        return ProcessHandle.allProcesses()
                .filter(process ->
                        process.info().arguments().stream().flatMap(Stream::of).anyMatch(mark::equals))
                .map(ProcessHandle::pid)
                .toList();
    }
}
