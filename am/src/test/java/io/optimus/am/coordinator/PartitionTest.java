package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Workers and a parameter server that do not reach each other, though both reach the coordinator. */
public final class PartitionTest {
    private static final List<String> IN_NAMESPACE = List.of("unshare", "--map-root-user", "--net");

    @Rule
    public final Timeout timeout = Timeout.seconds(300);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void hasNamespaces() throws IOException, InterruptedException {
        assumeTrue(
                "network namespaces need util-linux, iproute2 and a system that lets users make them",
                inNamespace(
                                List.of("ip", "link", "set", "lo", "up"),
                                folder.newFile().toPath())
                        == 0);
    }

    @Test
    public void isFoundWherePushesDoNotArrive() throws Exception {
        assertFound("push");
    }

    @Test
    public void isFoundWhereRepliesDoNotArrive() throws Exception {
        assertFound("reply");
    }

    @Test
    public void isFoundWhereNothingArrives() throws Exception {
        assertFound("push", "reply");
    }

    private void assertFound(String... directions) throws Exception {
        Path printed = folder.newFile().toPath();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                PartitionedTraining.class.getName(),
                folder.newFolder().toString()));
        command.addAll(List.of(directions));

        int exit = inNamespace(command, printed);

        String output = Files.readString(printed);
        assertThat(exit).as(output).isZero();
        int seconds = Integer.parseInt(output.replaceAll("(?s).*noticed after (\\d+).*", "$1"));
        assertThat(seconds).as("seconds until the cut was noticed").isLessThanOrEqualTo(20);
        assertThat(output).contains("lost 0");
    }

    private static int inNamespace(List<String> command, Path printed) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(IN_NAMESPACE);
        words.addAll(command);
        Process process;
        try {
            process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
        } catch (IOException notInstalled) {
            return -1;
        }
        try {
            return process.waitFor(120, TimeUnit.SECONDS) ? process.exitValue() : -2;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
