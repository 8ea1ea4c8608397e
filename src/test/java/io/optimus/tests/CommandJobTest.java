package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** A shell script that knows nothing of Optimus but one line of output is sized by the scheduler. */
public class CommandJobTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("command", 2, 0);

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Two workers make twice as many steps; on SIGTERM each ends at once, since every step is saved. */
    private static final String SCRIPT =
            """
            trap 'exit 0' TERM
            mkdir -p $OPTIMUS_CHECKPOINT_DIR
            step=$(cat $OPTIMUS_CHECKPOINT_DIR/step 2>/dev/null || echo 0)
            echo "worker $RANK of $WORLD_SIZE goes on from step $step at $MASTER_ADDR:$MASTER_PORT"
            while [ $step -lt 100000 ]; do
              sleep $(awk "BEGIN {print 0.2 / $WORLD_SIZE}")
              step=$((step + 1))
              if [ $RANK = 0 ]; then
                echo $step > $OPTIMUS_CHECKPOINT_DIR/new && mv $OPTIMUS_CHECKPOINT_DIR/new $OPTIMUS_CHECKPOINT_DIR/step
                awk "BEGIN {print \\"optimus: step=$step loss=\\" 1 / (1 + $step / 50) \\" epoch=\\" $step / 50}"
              fi
            done
            """;

    @Rule
    public final Timeout timeout = new Timeout(8, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void failsAfterItsRetriesWithTheLastLinesOfItsCommand() throws Exception {
        SubmittedJob job = jobs.submit(
                "broken",
                """
                name: broken
                framework: command
                roles:
                  worker: {command: "echo no such column; exit 3", min: 1, retries: 1, memoryMb: 256}
                """);

        Await.until("the job fails", LIMIT, job::ended);
        ApplicationReport report = CLUSTER.client().getApplicationReport(job.id());
        assertThat(report.getFinalApplicationStatus()).isEqualTo(FinalApplicationStatus.FAILED);
        assertThat(report.getDiagnostics())
                .contains("too many workers failed: 2", "its command ended with exit code 3", "no such column");
    }

    /** Submits the script with {@code minimum} to 2 workers and four epochs of 50 steps. */
    private SubmittedJob submitScript(String name, int minimum) throws Exception {
        Path folder = Files.createDirectories(CLUSTER.folder().resolve(name));
        Files.writeString(folder.resolve("train.sh"), SCRIPT);
        return jobs.submit(
                name,
                """
                name: %s
                framework: command
                elastic: {kind: restart, graceSeconds: 5}
                files: [train.sh]
                checkpoint: {folder: "%s"}
                stop: {maxEpochs: 4}
                roles:
                  worker: {command: bash train.sh, min: %d, max: 2, memoryMb: 256}
                """
                        .formatted(name, folder.resolve("checkpoints"), minimum));
    }

    @Test
    public void runsOnWhenTheApplicationMasterIsKilled() throws Exception {
        SubmittedJob job = submitScript("lasting", 2);
        Await.until(
                "both commands train",
                LIMIT,
                () -> job.workers() == 2 && job.status().path("step").asLong() > 20);
        Map<String, String> tasks = job.members();
        SubmittedJob.killProcess(job.master());
        Await.until(
                "another ApplicationMaster has them",
                LIMIT,
                () -> job.status().path("attempt").asInt() == 2 && job.workers() == 2);
        Await.until("they are the same processes", () -> job.members().equals(tasks));

        JsonNode result = job.result(LIMIT);
        assertThat(result.path("succeeded").asBoolean())
                .as(result.toPrettyString())
                .isTrue();
        assertThat(result.path("attempt").asInt()).isEqualTo(2);
        assertThat(result.path("lostTasks").asInt()).isZero();
        assertThat(result.path("stepsRedone").asInt()).isZero();
    }

    @Test
    public void restartsTheCommandsInTheSizesThatTheSchedulerChooses() throws Exception {
        SubmittedJob job = submitScript("script", 1);
        JsonNode result = job.result(LIMIT);

        assertThat(result.path("succeeded").asBoolean())
                .as(result.toPrettyString())
                .isTrue();
        assertThat(result.path("steps").asLong()).isGreaterThanOrEqualTo(200);
        assertThat(result.path("finalLoss").asDouble()).isLessThan(0.25);
        assertThat(result.path("lostTasks").asInt()).isZero();
        assertThat(result.path("resizes")).as(result.toPrettyString()).anySatisfy(resize -> assertThat(
                        resize.path("fromWorkers").asInt())
                .isPositive()
                .isNotEqualTo(resize.path("toWorkers").asInt()));
    }
}
