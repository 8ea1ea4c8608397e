package io.optimus.am.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.LossPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Commands run on while their coordinator is gone, and belong to the next one. */
public final class CommandTakeOverTest {
    /** Counts steps until the folder has a file go, and ends then; ends with code 3 where the folder has a file fail. */
    private static final String COUNTS = "trap 'echo told; exit 0' TERM; n=0; echo started of $WORLD_SIZE;"
            + " until [ -e $FOLDER/go ]; do n=$((n+1)); echo optimus: step=$n loss=0.$n epoch=0.$n;"
            + " [ -e $FOLDER/fail ] && echo broken && exit 3; sleep 0.05; done; echo done";

    private static final TaskId FIRST = TaskId.worker(0);
    private static final TaskId SECOND = TaskId.worker(1);
    private static final TaskId THIRD = TaskId.worker(2);

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private CommandJob job(Elasticity elastic) throws IOException {
        return new CommandJob(elastic, 3, variables());
    }

    private Map<String, String> variables() {
        return Map.of("FOLDER", folder.getRoot().toString());
    }

    private static long lastStep(CommandJob job, TaskId task) {
        return job.output(task).lines().filter(line -> line.contains("step=")).count();
    }

    private CommandJob running(Elasticity elastic) throws IOException {
        CommandJob job = job(elastic);
        job.worker(0, COUNTS);
        job.worker(1, COUNTS);
        job.target(FIRST, SECOND);
        awaitSteps(job, 5);
        job.awaitOutput(SECOND, "step=5");
        return job;
    }

    private static void awaitSteps(CommandJob job, long steps) {
        job.await(steps + " steps", () -> job.coordinator.status().progress().step() >= steps);
    }

    private static void awaitWorkers(CommandJob job, int workers) {
        job.await(
                workers + " workers",
                () -> job.coordinator.status().allocation().workers() == workers);
    }

    private void touch(String name) throws IOException {
        Files.createFile(folder.getRoot().toPath().resolve(name));
    }

    private static int starts(CommandJob job, TaskId task) {
        return job.output(task).split("started of", -1).length - 1;
    }

    private static void assertNoneWasTold(CommandJob job) {
        for (TaskId task : new TaskId[] {FIRST, SECOND}) {
            assertThat(starts(job, task)).isEqualTo(1);
            assertThat(job.output(task)).doesNotContain("told");
        }
        assertThat(job.lost).isEmpty();
    }

    @Test
    public void runOnUntilTheyEndByThemselves() throws IOException {
        try (CommandJob job = running(Elasticity.NONE)) {
            long before = job.coordinator.status().progress().step();
            job.loseCoordinator();
            job.awaitOutput(FIRST, "step=" + (before + 10));
            job.takeOver();

            assertThat(job.goneOn).containsExactly(2);
            awaitSteps(job, before + 20);
            awaitWorkers(job, 2);
            assertThat(job.resizes).last().satisfies(last -> {
                assertThat(last.cause()).isEqualTo(Cause.TAKEN_OVER);
                assertThat(last.pauseMillis()).isZero();
            });
            assertThat(job.losses).extracting(LossPoint::step).isSorted();
            touch("go");
            assertThat(job.awaitEnd().reason()).contains("exit code 0");
            assertNoneWasTold(job);
        }
    }

    @Test
    public void mayEndWhileThereIsNoCoordinator() throws IOException {
        try (CommandJob job = running(Elasticity.NONE)) {
            job.loseCoordinator();
            job.awaitOutput(FIRST, "step=20");
            job.awaitOutput(SECOND, "step=20");
            touch("go");
            job.awaitOutput(FIRST, "done");
            job.awaitOutput(SECOND, "done");
            job.takeOver();

            assertThat(job.awaitEnd().reason()).contains("exit code 0");
            assertThat(job.awaitEnd().steps())
                    .as("reported meanwhile")
                    .isIn(lastStep(job, FIRST), lastStep(job, SECOND));
            assertNoneWasTold(job);
        }
    }

    @Test
    public void aChiefMayEndWhileAnotherOneIsLost() throws IOException {
        try (CommandJob job = new CommandJob(
                Elasticity.NONE,
                true,
                new Allocation(0, 2),
                new Allocation(0, 2),
                new StopRule.FirstOf(List.of()),
                variables())) {
            job.worker(0, COUNTS);
            job.worker(1, COUNTS);
            job.target(FIRST, SECOND);
            awaitSteps(job, 5);
            job.loseCoordinator();
            job.kill(SECOND);
            touch("go");
            job.awaitOutput(FIRST, "done");
            job.takeOver();

            assertThat(job.awaitEnd().reason()).contains("exit code 0");
            assertThat(starts(job, FIRST)).isEqualTo(1);
        }
    }

    @Test
    public void mayHaveReportedAnyStepFirst() throws IOException {
        String ahead = COUNTS.replace("n=0;", "n=1000;");
        try (CommandJob job = job(Elasticity.NONE)) {
            job.worker(0, COUNTS);
            job.worker(1, ahead);
            job.target(FIRST, SECOND);
            job.awaitOutput(FIRST, "step=5");
            job.awaitOutput(SECOND, "step=1005");
            job.loseCoordinator();
            int before = job.steppedBack.size();
            job.takeOver();
            awaitSteps(job, 20);

            assertThat(job.steppedBack).hasSize(before);
            assertNoneWasTold(job);
        }
    }

    @Test
    public void failuresMeanwhileAreTold() throws IOException {
        try (CommandJob job = running(Elasticity.NONE)) {
            job.loseCoordinator();
            touch("fail");
            job.awaitOutput(FIRST, "broken");
            job.awaitOutput(SECOND, "broken");
            job.takeOver();

            job.await("both are lost", () -> job.lost.size() == 2);
            job.await("both have ended", () -> job.exited.equals(Set.of(FIRST, SECOND)));
            assertThat(job.lost.values()).allMatch(reason -> reason.contains("exit code 3"));
        }
    }

    @Test
    public void startAgainTogetherIfOneIsLostMeanwhile() throws IOException {
        try (CommandJob job = running(Elasticity.NONE)) {
            job.awaitOutput(FIRST, "step=20");
            job.loseCoordinator();
            job.kill(SECOND);
            job.takeOver();

            job.awaitOutput(FIRST, "told");
            job.worker(2, COUNTS);
            job.target(FIRST, THIRD);
            job.awaitOutput(THIRD, "started of 2");
            job.await("the first one starts again", () -> starts(job, FIRST) == 2);
            assertThat(job.lost).containsOnlyKeys(SECOND);
            job.await("they step from the beginning", () -> !job.steppedBack.isEmpty());
            assertThat(job.steppedBack.get(0)).matches("\\d+ to \\d");
            job.await("the resize is told", () -> job.resizes.stream()
                    .anyMatch(resize -> resize.cause() == Cause.WORKER_LOST
                            && resize.from().equals(new Allocation(0, 2))
                            && resize.pauseMillis() > 0));
        }
    }

    @Test
    public void ofTorchrunRunOnWithoutOneThatIsLostMeanwhile() throws IOException {
        try (CommandJob job = running(Elasticity.TORCHRUN)) {
            job.loseCoordinator();
            job.kill(SECOND);
            job.takeOver();

            awaitWorkers(job, 1);
            awaitSteps(job, job.coordinator.status().progress().step() + 10);
            assertThat(starts(job, FIRST)).isEqualTo(1);
            job.worker(2, COUNTS);
            job.target(FIRST, THIRD);
            job.awaitOutput(THIRD, "started of");
            assertThat(job.output(FIRST)).doesNotContain("told");
            assertThat(job.lost).containsOnlyKeys(SECOND);
        }
    }

    @Test
    public void areToldOnceTheyHaveComeThatTrainingIsOver() throws IOException {
        try (CommandJob job = running(Elasticity.NONE)) {
            job.loseCoordinator();
            job.takeOver(coordinator -> coordinator.stop("enough"));

            assertThat(job.awaitEnd().reason()).isEqualTo("enough");
            assertThat(job.output(FIRST)).contains("told");
            assertThat(job.output(SECOND)).contains("told");
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void startAgainWithoutATaskThatIsReleasedWhileTheyCome() throws IOException {
        try (CommandJob job = running(Elasticity.NONE)) {
            job.loseCoordinator();
            job.takeOver(coordinator -> coordinator.release(SECOND));

            awaitWorkers(job, 1);
            job.awaitOutput(FIRST, "started of 1");
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void startAgainIfTheyHadJustBeenToldToEnd() throws IOException {
        String slow = COUNTS.replace("exit 0' TERM", "until [ -e $FOLDER/saved ]; do sleep 0.05; done; exit 0' TERM");
        try (CommandJob job = job(Elasticity.NONE)) {
            job.worker(0, slow);
            job.worker(1, slow);
            job.target(FIRST, SECOND);
            awaitSteps(job, 5);
            job.target(FIRST);
            job.awaitOutput(FIRST, "told");
            job.awaitState(State.SWITCHING);
            job.loseCoordinator();
            job.takeOver();
            touch("saved");

            job.await("both start again", () -> starts(job, FIRST) == 2 && starts(job, SECOND) == 2);
            assertThat(job.lost).isEmpty();
            assertThat(job.released).isEmpty();
        }
    }
}
