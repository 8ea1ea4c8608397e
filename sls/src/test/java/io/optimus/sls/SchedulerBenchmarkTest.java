package io.optimus.sls;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class SchedulerBenchmarkTest {
    private static final int JOBS = 5;

    @Rule
    public final Timeout timeout = Timeout.seconds(240);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder(new File("target"));

    private final StringWriter errors = new StringWriter();

    @Test
    public void measuresBothSchedulersWithTrainingJobsThatFollowPlans() throws Exception {
        Path results = folder.getRoot().toPath().resolve("results.json");

        int exit = run(
                "--nodes=20",
                "--jobs=" + JOBS,
                "--applications=20",
                "--warm-up-seconds=2",
                "--seconds=6",
                "--repetitions=1",
                "--heap-mb=512",
                "--most-ratio=1000",
                "--out=" + results,
                "--folder=" + folder.getRoot());

        // 1 where the machine is too busy to compare the sides.
        assertThat(exit).as(errors.toString()).isBetween(0, 1);
        JsonNode all = new ObjectMapper().readTree(results.toFile());
        assertThat(all).hasSize(2);
        JsonNode stock = all.get(0);
        JsonNode ours = all.get(1);
        assertThat(stock.path("side").asText()).isEqualTo("stock");
        assertThat(ours.path("side").asText()).isEqualTo("ours");
        for (JsonNode side : all) {
            assertIsMeasured(side);
        }
        assertThat(stock.path("plansFollowed").asInt()).isZero();
        assertThat(stock.path("roundThreadCorePercent").asDouble()).isZero();
        assertThat(ours.path("plansFollowed").asInt()).isGreaterThanOrEqualTo(JOBS);
        assertThat(ours.path("runs").path(0).path("training").path("latestPlan").asLong())
                .isPositive();
        assertThat(ours.path("roundThreadCorePercent").asDouble()).isBetween(0.01, 100.0);
        double ratio = ours.path("allocateMicrosP50").asDouble()
                / stock.path("allocateMicrosP50").asDouble();
        assertThat(ours.path("ratio").path("allocateMicrosP50").asDouble()).isEqualTo(ratio);
        assertThat(ProcessHandle.current().descendants().filter(SchedulerBenchmarkTest::isMeasured))
                .isEmpty();
    }

    private static void assertIsMeasured(JsonNode side) {
        double median = side.path("allocateMicrosP50").asDouble();
        double slow = side.path("allocateMicrosP99").asDouble();
        assertThat(median).isPositive();
        assertThat(slow).isGreaterThanOrEqualTo(median);
        assertThat(side.path("allocateMicrosP999").asDouble()).isGreaterThanOrEqualTo(slow);
        assertThat(side.path("eventThreadCorePercent").asDouble()).isBetween(0.01, 100.0);
        assertThat(side.path("heartbeatsPerSecond").asDouble()).isBetween(1.0, 40.0);
        assertThat(side.path("ordinaryContainersPerSecond").asDouble()).isPositive();
        assertThat(side.path("ordinaryAllocateMicrosP50").asDouble()).isPositive();
        assertThat(side.path("heapMb").asDouble()).isBetween(1.0, 512.0);
        assertThat(side.path("trainingJobs").asInt()).isEqualTo(JOBS);
        assertThat(side.path("trainingTasks").asInt()).isBetween(1, 20 * Workload.GPUS_PER_NODE);
    }

    private static boolean isMeasured(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(SideRun.class.getName());
    }

    @Test
    public void refusesInvalidOptionsBeforeItMeasures() {
        int exit =
                run("--nodes=0,5", "--jobs=-1", "--repetitions=0", "--policy=absent", "--folder=" + folder.getRoot());

        assertThat(exit).isEqualTo(2);
        assertThat(errors.toString())
                .contains("--nodes is 0. ")
                .contains("--jobs is -1. ")
                .contains("--repetitions is 0. ")
                .contains("--policy: ")
                .contains("absent")
                .doesNotContain("\tat ");
    }

    @Test
    public void saysWhyARunFailed() {
        int exit = run("--heap-mb=2000000000", "--nodes=1", "--folder=" + folder.getRoot());

        assertThat(exit).isEqualTo(3);
        assertThat(errors.toString()).contains("log.txt").contains("heap");
    }

    private int run(String... arguments) {
        return SchedulerBenchmark.commandLine()
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }
}
