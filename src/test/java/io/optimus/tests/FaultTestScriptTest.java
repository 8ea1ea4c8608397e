package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A minute of {@code scripts/fault-test}: every job survives what happens in it. */
public class FaultTestScriptTest {
    /** Cuts networks, kills a worker and the ApplicationMaster, makes the jobs' file system read-only, where it may. */
    private static final String SEED = "71";

    @Rule
    public final Timeout timeout = new Timeout(15, TimeUnit.MINUTES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void isBuilt() {
        Script.assumeBuilt();
    }

    @Test
    public void everyJobEndsWellAndNothingIsLeftBehind() throws Exception {
        Path printed = folder.newFile().toPath();
        Path report = folder.getRoot().toPath().resolve("report.json");
        Process process = new ProcessBuilder(
                        Script.named("fault-test"), "--minutes", "1", "--seed", SEED, "--report", report.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(process.waitFor(14, TimeUnit.MINUTES))
                    .as(Files.readString(printed))
                    .isTrue();
        } finally {
            // Its trap stops the cluster.
            process.destroy();
            process.waitFor();
        }

        assertThat(process.exitValue()).as(Files.readString(printed)).isZero();
        JsonNode found = new ObjectMapper().readTree(report.toFile());
        assertThat(found.path("problems")).isEmpty();
        assertThat(found.path("faults").findValuesAsText("kind")).contains("kill-worker");
        assertThat(found.path("jobs").size()).isBetween(3, 4);
        assertThat(found.path("jobs"))
                .allSatisfy(job -> assertThat(job.path("finalStatus").asText()).isEqualTo("SUCCEEDED"));
    }
}
