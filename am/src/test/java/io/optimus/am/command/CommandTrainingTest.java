package io.optimus.am.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Commands that train by themselves, as shell scripts. */
public final class CommandTrainingTest {
    /** Prints its variables, and waits until the folder has a file go. */
    private static final String PRINTS =
            "env | grep -E '^(RANK|WORLD|LOCAL_|NODE_RANK|MASTER_|TF_CONFIG|CLUSTER_SPEC|JOB_NAME|"
                    + "TASK_|DMLC_|INIT_METHOD|OPTIMUS_|PET_)'; echo printed; until [ -e $FOLDER/go ]; do sleep 0.05; done";

    /** Counts steps, which it keeps in a file; on SIGTERM it ends at once. */
    private static final String COUNTS = "trap 'exit 0' TERM; n=$(cat $FOLDER/step 2>/dev/null || echo 0);"
            + " echo from $n of $WORLD_SIZE; until [ -e $FOLDER/go ]; do"
            + " if [ $RANK = 0 ]; then n=$((n+1)); echo $n > $FOLDER/new; mv $FOLDER/new $FOLDER/step;"
            + " echo optimus: step=$n loss=0.$n; fi; sleep 0.05; done";

    private static final ObjectMapper JSON = new ObjectMapper();

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Map<String, String> variables() {
        return Map.of("FOLDER", folder.getRoot().toString());
    }

    private void letThemEnd() throws IOException {
        assertThat(Path.of(folder.getRoot().toString(), "go").toFile().createNewFile())
                .isTrue();
    }

    private static Map<String, String> read(String output) {
        Map<String, String> variables = new HashMap<>();
        output.lines().filter(line -> line.contains("=")).forEach(line -> {
            String[] pair = line.split("=", 2);
            variables.put(pair[0], pair[1]);
        });
        return variables;
    }

    @Test
    public void givesEveryRoleTheEnvironmentThatItsFrameworkKnows() throws IOException {
        try (CommandJob job = new CommandJob(
                Elasticity.NONE,
                true,
                new Allocation(1, 2),
                new Allocation(1, 2),
                new StopRule.FirstOf(List.of()),
                variables())) {
            TaskId server = job.add(TaskId.server(0), PRINTS);
            TaskId chief = job.worker(3, PRINTS);
            TaskId worker = job.worker(5, PRINTS);
            job.target(server, chief, worker);
            for (TaskId task : List.of(server, chief, worker)) {
                job.awaitOutput(task, "printed");
            }
            Map<String, String> ofChief = read(job.output(chief));
            Map<String, String> ofWorker = read(job.output(worker));
            Map<String, String> ofServer = read(job.output(server));

            String port = ofChief.get("MASTER_PORT");
            assertThat(ofWorker)
                    .containsEntry("RANK", "1")
                    .containsEntry("WORLD_SIZE", "2")
                    .containsEntry("LOCAL_RANK", "0")
                    .containsEntry("LOCAL_WORLD_SIZE", "1")
                    .containsEntry("NODE_RANK", "1")
                    .containsEntry("MASTER_ADDR", "127.0.0.1")
                    .containsEntry("MASTER_PORT", port)
                    .containsEntry("INIT_METHOD", "tcp://127.0.0.1:" + port)
                    .containsEntry("WORLD", "2")
                    .containsEntry("JOB_NAME", "worker")
                    .containsEntry("TASK_INDEX", "0")
                    .containsEntry("TASK_NUM", "1")
                    .containsEntry("DMLC_ROLE", "worker")
                    .containsEntry("DMLC_PS_ROOT_URI", "127.0.0.1")
                    .containsEntry("DMLC_PS_ROOT_PORT", port)
                    .containsEntry("DMLC_NUM_SERVER", "1")
                    .containsEntry("DMLC_NUM_WORKER", "2")
                    .containsEntry("OPTIMUS_MEMBERSHIP", "1.1")
                    .doesNotContainKeys("OPTIMUS_SECRET");
            assertThat(ofChief)
                    .containsEntry("RANK", "0")
                    .containsEntry("JOB_NAME", "chief")
                    .containsEntry("TASK_INDEX", "0");
            assertThat(ofServer)
                    .containsEntry("JOB_NAME", "ps")
                    .containsEntry("DMLC_ROLE", "server")
                    .doesNotContainKeys("RANK", "WORLD_SIZE");
            JsonNode cluster = JSON.readTree(ofServer.get("CLUSTER_SPEC"));
            assertThat(cluster.path("chief").path(0).asText()).isEqualTo("127.0.0.1:" + port);
            assertThat(cluster.path("worker")).hasSize(1);
            assertThat(cluster.path("ps")).hasSize(1);
            JsonNode tensorFlow = JSON.readTree(ofWorker.get("TF_CONFIG"));
            assertThat(tensorFlow.path("cluster")).isEqualTo(cluster);
            assertThat(tensorFlow.path("task")).isEqualTo(JSON.readTree("{\"type\":\"worker\",\"index\":0}"));
        }
    }

    /** The shell ends at once. */
    @Test
    public void processesBehindAShellHaveTheirTimeToSave() throws IOException {
        Path saved = Path.of(folder.getRoot().toString(), "saved");
        String saves = "bash -c 'trap \"sleep 0.5; touch $FOLDER/saved; exit\" TERM; echo began;"
                + " while true; do sleep 0.05; done' | cat";
        try (CommandJob job = new CommandJob(Elasticity.RESTART, 2, variables())) {
            TaskId worker = job.worker(0, saves);
            job.target(worker);
            job.awaitOutput(worker, "began");
            job.target(worker, job.worker(1, saves));

            job.await("the process has saved", () -> saved.toFile().exists());
        }
    }

    @Test
    public void endsWhenAllWorkersHaveEndedAlsoOneThatWasEarly() throws IOException {
        try (CommandJob job = new CommandJob(Elasticity.NONE, 2, variables())) {
            TaskId early = job.worker(0, "echo done");
            TaskId late = job.worker(1, PRINTS);
            job.target(early, late);
            job.awaitOutput(early, "done");
            job.awaitOutput(late, "printed");
            assertThat(job.result).isNull();
            letThemEnd();

            TrainingResult result = job.awaitEnd();

            assertThat(result.reason()).isEqualTo("the commands have ended with exit code 0");
            assertThat(result.converged()).isFalse();
            assertThat(job.lost).isEmpty();
            assertThat(job.released).containsExactlyInAnyOrder(early, late);
        }
    }

    @Test
    public void endsServersAndWorkersWithTheChief() throws IOException {
        Allocation size = new Allocation(1, 2);
        try (CommandJob job =
                new CommandJob(Elasticity.NONE, true, size, size, new StopRule.FirstOf(List.of()), variables())) {
            TaskId server = job.add(TaskId.server(0), "exec sleep 600");
            TaskId chief = job.worker(0, PRINTS);
            TaskId worker = job.worker(1, "exec sleep 600");
            job.target(server, chief, worker);
            job.awaitOutput(chief, "printed");
            letThemEnd();

            job.awaitEnd();

            assertThat(job.lost).isEmpty();
        }
    }

    /** The worker fails because the chief has ended, and tells it first. */
    @Test
    public void theChiefsSuccessCountsThatIsToldAfterAnotherHasFailed() throws IOException {
        Allocation size = new Allocation(0, 2);
        try (CommandJob job =
                new CommandJob(Elasticity.NONE, true, size, size, new StopRule.FirstOf(List.of()), variables())) {
            TaskId chief = TaskId.worker(0);
            try (CoordinatorConnection told = job.connectAs(chief)) {
                told.receiveWelcome();
                told.send(new Message.CommandReady("127.0.0.1", 1));
                TaskId worker = job.worker(1, "exit 1");
                job.target(chief, worker);
                Message.RunCommand started = await(told, Message.RunCommand.class);
                await(told, Message.EndCommand.class);
                assertThat(job.lost).containsOnlyKeys(worker);
                told.send(new Message.CommandEnded(started.number(), 0, true, "ended with exit code 0"));
                await(told, Message.Leave.class);
            }

            assertThat(job.awaitEnd().reason()).isEqualTo("the commands have ended with exit code 0");
        }
    }

    /** As when a node is decommissioned, or a job with more right preempts the container. */
    @Test
    public void aCommandThatYarnEndsHasNotSucceeded() throws IOException {
        try (CommandJob job = new CommandJob(Elasticity.RESTART, 1, variables())) {
            TaskId chief = TaskId.worker(0);
            try (CoordinatorConnection told = job.connectAs(chief)) {
                told.receiveWelcome();
                told.send(new Message.CommandReady("127.0.0.1", 1));
                job.target(chief);
                Message.RunCommand started = await(told, Message.RunCommand.class);
                told.send(new Message.CommandEnded(started.number(), 0, false, "ended with exit code 0"));
                job.await("the task is lost", () -> job.lost.containsKey(chief));
            }
            assertThat(job.result).isNull();
        }
    }

    /** A program that saves and ends when it is told to. */
    @Test
    public void aChiefThatWasToldToEndHasNotSucceeded() throws IOException {
        Allocation size = new Allocation(0, 2);
        try (CommandJob job =
                new CommandJob(Elasticity.NONE, true, size, size, new StopRule.FirstOf(List.of()), variables())) {
            TaskId chief = job.worker(0, "trap 'exit 0' TERM; echo began; while true; do sleep 0.1; done");
            TaskId worker = job.worker(1, "until [ -e $FOLDER/go ]; do sleep 0.05; done; exit 1");
            job.target(chief, worker);
            job.awaitOutput(chief, "began");
            letThemEnd();
            job.await("the worker is lost", () -> job.lost.containsKey(worker));
            job.awaitState(State.WAITING);

            assertThat(job.result).isNull();
        }
    }

    private static <T extends ToTask> T await(CoordinatorConnection from, Class<T> type) throws IOException {
        while (true) {
            ToTask message = from.receive();
            if (type.isInstance(message)) {
                return type.cast(message);
            }
        }
    }

    @Test
    public void goesOnFromItsCheckpointInTheNewSize() throws IOException {
        try (CommandJob job = new CommandJob(Elasticity.RESTART, 2, variables())) {
            TaskId first = job.worker(0, COUNTS);
            job.target(first);
            job.await("ten losses", () -> job.losses.size() >= 10);
            TaskId second = job.worker(1, COUNTS);
            job.target(first, second);
            job.awaitOutput(second, "of 2");
            int before = job.losses.size();
            job.await("more losses and speeds", () -> job.losses.size() > before + 10 && job.speeds.size() > 3);
            job.target(second);
            job.await("the first was released", () -> job.released.contains(first));
            job.await("a third resize", () -> job.resizes.size() == 3);
            letThemEnd();
            TrainingResult result = job.awaitEnd();

            assertThat(job.lost).isEmpty();
            assertThat(job.output(first)).contains("from 0 of 1").containsPattern("from [1-9][0-9]* of 2");
            assertThat(job.output(second)).containsPattern("from [1-9][0-9]* of 1");
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.losses).isSortedAccordingTo((a, b) -> Long.compare(a.step(), b.step()));
            assertThat(result.steps()).isGreaterThan(20);
            assertThat(job.resizes).extracting(resize -> resize.to().workers()).containsExactly(1, 2, 1);
            assertThat(job.resizes.get(1).cause()).isEqualTo(Cause.PLANNED);
            assertThat(job.resizes.get(1).pauseMillis()).isBetween(1L, 20_000L);
            assertThat(job.speeds)
                    .allSatisfy(speed -> assertThat(speed.stepsPerSecond()).isBetween(1.0, 25.0));
            assertThat(job.speeds)
                    .extracting(speed -> speed.allocation().workers())
                    .contains(1, 2);
        }
    }

    @Test
    public void countsStepsAgainThatWereLostWithAKilledCommand() throws IOException {
        String forgets = COUNTS.replace("trap 'exit 0' TERM;", "trap 'echo 3 > $FOLDER/step; exit 0' TERM;");
        try (CommandJob job = new CommandJob(Elasticity.RESTART, 2, variables())) {
            TaskId first = job.worker(0, forgets);
            job.target(first);
            job.await("ten losses", () -> job.losses.size() >= 10);
            job.target(first, job.worker(1, forgets));
            job.await("a step back", () -> !job.steppedBack.isEmpty());

            String[] steps = job.steppedBack.get(0).split(" to ", -1);
            assertThat(Long.parseLong(steps[1])).isBetween(4L, Long.parseLong(steps[0]) - 1);
        }
    }

    @Test
    public void killsACommandThatIgnoresSigterm() throws IOException {
        String stubborn = "trap '' TERM; echo started $WORLD_SIZE; while true; do sleep 0.1; done";
        try (CommandJob job = new CommandJob(Elasticity.RESTART, 2, variables())) {
            TaskId first = job.worker(0, stubborn);
            job.target(first);
            job.awaitOutput(first, "started 1");
            TaskId second = job.worker(1, stubborn);
            long before = System.nanoTime();
            job.target(first, second);
            job.awaitOutput(first, "started 2");

            assertThat((System.nanoTime() - before) / 1e9).isGreaterThan(CommandJob.GRACE_SECONDS);
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void losesTheTaskWhoseCommandFailedAndRestartsTheOthers() throws IOException {
        try (CommandJob job = new CommandJob(Elasticity.RESTART, 2, variables())) {
            TaskId good = job.worker(0, PRINTS);
            TaskId bad = job.worker(1, "echo first; echo 'ValueError: shapes differ' >&2; exit 3");
            job.target(good, bad);
            job.await("the bad one is lost", () -> job.lost.containsKey(bad));
            job.await("the good one runs alone", () -> job.output(good).contains("WORLD_SIZE=1"));
            letThemEnd();
            job.awaitEnd();

            assertThat(job.lost.get(bad))
                    .startsWith("its command ended with exit code 3; the last lines of its output:\nfirst\n")
                    .contains("ValueError: shapes differ");
            assertThat(job.lost).containsOnlyKeys(bad);
            assertThat(job.hasFailed(bad)).isTrue();
            job.await("the bad one has ended", () -> job.exited.contains(bad));
            assertThat(job.hasFailed(good)).as("it was told to end").isFalse();
        }
    }

    @Test
    public void endsWithTheWorkersThatHaveSucceededIfTheLastOtherIsLost() throws IOException {
        try (CommandJob job = new CommandJob(Elasticity.TORCHRUN, 2, variables())) {
            TaskId good = job.worker(0, "exit 0");
            TaskId bad = job.worker(1, "sleep 5; exit 1");
            job.target(good, bad);
            TrainingResult result = job.awaitEnd();

            assertThat(job.lost).containsOnlyKeys(bad);
            assertThat(result.reason()).contains("but for one that was lost");
        }
    }

    @Test
    public void waitsAtAFixedSizeForTheReplacementOfALostTask() throws IOException {
        Allocation size = new Allocation(0, 2);
        try (CommandJob job =
                new CommandJob(Elasticity.NONE, false, size, size, new StopRule.FirstOf(List.of()), variables())) {
            TaskId good = job.worker(0, PRINTS);
            TaskId bad = job.worker(1, "exit 1");
            job.target(good, bad);
            job.await("the bad one is lost", () -> job.lost.containsKey(bad));
            job.awaitState(State.WAITING);
            TaskId next = job.worker(2, PRINTS);
            job.target(good, next);
            job.awaitOutput(next, "RANK=1");
            letThemEnd();
            job.awaitEnd();
        }
    }

    @Test
    public void namesTheShellsReasonWhereACommandDoesNotExist() throws IOException {
        try (CommandJob job = new CommandJob(Elasticity.NONE, 1, variables())) {
            TaskId task = job.worker(0, "trian.sh --lr 1");
            job.target(task);
            job.await("it is lost", () -> job.lost.containsKey(task));

            assertThat(job.lost.get(task)).contains("exit code 127", "trian.sh: command not found");
        }
    }

    @Test
    public void survivesFloodsBrokenLinesAndBinaryOutput() throws IOException {
        String floods = "yes 'optimus: step=oops loss=1 what' | head -c 20000000;"
                + " head -c 5000000 /dev/zero | tr '\\0' 'x'; head -c 3000000 /dev/urandom;"
                + " echo; echo 'optimus: step=1e400 loss=2'; echo 'optimus:'; echo 'optimus: loss=3';"
                + " echo 'optimus: step=5 loss=nan'; echo 'optimus: step=7 loss=0.25 accuracy=0.5 bad=abc inf=inf';"
                + " sleep 1";
        try (CommandJob job = new CommandJob(Elasticity.NONE, 1, variables())) {
            job.target(job.worker(0, floods));

            TrainingResult result = job.awaitEnd();

            assertThat(job.losses).extracting(point -> point.loss()).doesNotContain(2.0, 3.0);
            assertThat(job.reports).last().satisfies(report -> {
                assertThat(report.step()).isEqualTo(7);
                assertThat(report.values()).containsExactly(Map.entry("accuracy", 0.5));
            });
            assertThat(result.steps()).isEqualTo(7);
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void endsConvergedByItsStopRuleAndByItsTarget() throws IOException {
        String trains = "trap 'echo saved; exit 0' TERM; for i in $(seq 1 100000); do"
                + " echo optimus: step=$i loss=0.5 epoch=$i; sleep 0.25; done";
        StopRule rule = new StopRule.FirstOf(List.of(new StopRule.TargetLoss(0.6)));
        try (CommandJob job =
                new CommandJob(Elasticity.NONE, false, new Allocation(0, 1), new Allocation(0, 1), rule, variables())) {
            TaskId task = job.worker(0, trains);
            job.target(task);

            assertThat(job.awaitEnd().converged()).isTrue();
            assertThat(job.output(task)).contains("saved");
        }
        try (CommandJob job = new CommandJob(Elasticity.NONE, 1, variables())) {
            job.target(job.worker(0, trains.replace("loss=0.5", "accuracy=0.93")));

            assertThat(job.awaitEnd().reason()).contains("an accuracy of 0.93").contains("target is 0.9");
        }
    }

    @Test
    public void takesFurtherFiguresOfAStep() throws IOException {
        String evaluatesLater = "echo optimus: step=100 loss=0.5 epoch=0.9; " + "sleep 1; "
                + "echo optimus: step=100 epoch=1 accuracy=0.8; sleep 1";
        try (CommandJob job = new CommandJob(Elasticity.NONE, 1, variables())) {
            job.target(job.worker(0, evaluatesLater));
            TrainingResult result = job.awaitEnd();

            assertThat(job.reports).singleElement().satisfies(report -> assertThat(report.values())
                    .containsExactly(Map.entry("accuracy", 0.8)));
            assertThat(job.losses).containsExactly(new LossPoint(100, 0.5));
            assertThat(result.epochs()).isEqualTo(1);
            assertThat(job.steppedBack).isEmpty();
        }
    }

    @Test
    public void endsAfterItsEpochsWithoutAnyLoss() throws IOException {
        String trains = "for i in $(seq 1 100000); do echo optimus: step=$i epoch=$i; sleep 0.25; done";
        try (CommandJob job = new CommandJob(
                Elasticity.NONE,
                false,
                new Allocation(0, 1),
                new Allocation(0, 1),
                new StopRule.MaxEpochs(3),
                variables())) {
            job.target(job.worker(0, trains));

            assertThat(job.awaitEnd().reason()).contains("after the maximum of 3 epochs");
        }
    }

    @Test
    public void leavesNoProcessBehind() throws IOException {
        String leaves = "setsid sleep 417 & disown; echo optimus: step=1 loss=1; exit 0";
        try (CommandJob job = new CommandJob(Elasticity.NONE, 1, variables())) {
            job.target(job.worker(0, leaves));
            job.awaitEnd();

            assertThat(ProcessHandle.allProcesses()
                            .filter(process ->
                                    process.info().commandLine().orElse("").endsWith("sleep 417")))
                    .isEmpty();
        }
    }
}
