package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.FaultyStore;
import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Tasks go on without their coordinator, and with the next one. */
public final class TakeOverTest {
    private static final int FOREVER = 1_000_000;

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestJob counting(TrainingMode mode) throws IOException {
        return TestJob.surviving(
                TestJob.settings(mode, new Optimizer.Sgd(1, 0, 0), FOREVER),
                store(),
                () -> new CountingEngine(1003, 500));
    }

    private LocalCheckpointStore store() throws IOException {
        return new LocalCheckpointStore(folder.newFolder().toPath());
    }

    @Test
    public void noStepIsLostOrRepeatedWithTheCoordinator() throws IOException {
        try (TestJob job = counting(TrainingMode.SYNCHRONOUS)) {
            Set<TaskId> members = job.add(2, 3);
            job.resizeTo(members);
            for (int attempt = 2; attempt <= 4; attempt++) {
                job.awaitStep(job.step() + 40);
                long before = job.step();
                job.loseCoordinator();
                job.takeOver();
                job.await("it steps on", () -> job.stepsOn(members));
                assertThat(job.step()).isGreaterThanOrEqualTo(before);
            }
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();

            job.assertEveryStepOnce();
            assertThat(job.goneOn).containsExactly("in memory with 5", "in memory with 5", "in memory with 5");
            assertThat(job.lost).isEmpty();
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.endedBadly).isEmpty();
            assertThat(job.resizes).extracting(Resize::cause).contains(Cause.TAKEN_OVER);
        }
    }

    @Test
    public void asynchronousTasksGoOn() throws IOException {
        try (TestJob job = counting(TrainingMode.ASYNCHRONOUS)) {
            Set<TaskId> members = job.add(2, 3);
            job.resizeTo(members);
            job.awaitStep(60);
            long before = job.step();
            job.loseCoordinator();
            job.takeOver();
            job.await("it steps on", () -> job.stepsOn(members) && job.step() > before + 20);
            job.coordinator.stop("test");
            TrainingResult result = job.awaitEnd();

            assertThat(job.goneOn).containsExactly("in memory with 5");
            assertThat(job.curve().keySet()).hasSize((int) result.steps());
            assertThat(job.lost).isEmpty();
            assertThat(job.endedBadly).isEmpty();
        }
    }

    @Test
    public void goesOnWithTheWorkersThatAreLeft() throws IOException {
        try (TestJob job = counting(TrainingMode.SYNCHRONOUS)) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 3));
            job.resizeTo(members);
            job.awaitStep(40);
            job.loseCoordinator();
            job.kill(TaskId.worker(0));
            members.remove(TaskId.worker(0));
            job.takeOver();
            job.await("the others step on", () -> job.stepsOn(members));
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();

            job.assertEveryStepOnce();
            assertThat(job.goneOn).containsExactly("in memory with 3");
            assertThat(job.lost).containsOnlyKeys(TaskId.worker(0));
        }
    }

    @Test
    public void goesBackToTheCheckpointIfAServerIsLostToo() throws IOException {
        try (TestJob job = counting(TrainingMode.SYNCHRONOUS)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            job.await("a checkpoint", () -> job.checkpoints.size() >= 2);
            job.loseCoordinator();
            job.kill(TaskId.server(0));
            members.remove(TaskId.server(0));
            job.takeOver();
            job.resizeTo(members);
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();

            job.assertEveryStepOnce();
            assertThat(job.goneOn).containsExactly("from a checkpoint with 3");
            assertThat(job.checkpoints).anyMatch(step -> step > 0);
        }
    }

    @Test
    public void goesOnInTheMiddleOfAResize() throws IOException {
        try (TestJob job = counting(TrainingMode.SYNCHRONOUS)) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 1));
            job.resizeTo(members);
            for (int round = 0; round < 6; round++) {
                job.awaitStep(job.step() + 10);
                members.addAll(round % 2 == 0 ? job.add(1, 0) : job.add(0, 1));
                job.coordinator.target(members);
                pauseMicros(round * 700L);
                job.loseCoordinator();
                job.takeOver();
                job.resizeTo(members);
            }
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();

            job.assertEveryStepOnce();
            assertThat(job.lost).isEmpty();
        }
    }

    /** A moment in a resize, which takes some milliseconds; a test of chance. */
    private static void pauseMicros(long micros) {
        long until = System.nanoTime() + micros * 1_000;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    @Test
    public void endsAtTheSameStepWithTheSameLosses() throws IOException {
        NavigableMap<Long, Double> undisturbed;
        try (TestJob job = digits()) {
            job.resizeTo(job.add(2, 2));
            assertThat(job.awaitEnd().converged()).isTrue();
            undisturbed = job.curve();
        }
        try (TestJob job = digits()) {
            job.resizeTo(job.add(2, 2));
            for (int lost = 1; lost <= 4; lost++) {
                // In the first half: a job that ends as its coordinator dies has no tasks to take over.
                job.awaitStep(undisturbed.lastKey() * lost / 10);
                job.loseCoordinator();
                job.takeOver();
            }
            assertThat(job.awaitEnd().converged()).isTrue();

            assertThat(job.goneOn).hasSize(4).containsOnly("in memory with 4");
            assertThat(job.curve().keySet()).isEqualTo(undisturbed.keySet());
            for (Map.Entry<Long, Double> point : job.curve().entrySet()) {
                assertThat(point.getValue())
                        .as("loss of step %d", point.getKey())
                        .isEqualTo(undisturbed.get(point.getKey()));
            }
        }
    }

    /** Its losses have ended training, and its last checkpoint is not saved yet. */
    @Test
    public void theLastStepStaysTheLastOne() throws IOException {
        long steps;
        try (TestJob job = digits()) {
            job.resizeTo(job.add(2, 2));
            steps = job.awaitEnd().steps();
        }
        for (boolean workerIsLost : new boolean[] {false, true}) {
            FaultyStore store = new FaultyStore(store());
            try (TestJob job = digits(store)) {
                job.resizeTo(job.add(2, 2));
                job.awaitStep(steps / 2);
                store.refuse(new IOException("no space"));
                job.await("all steps are done", () -> isEnding(job));
                job.loseCoordinator();
                if (workerIsLost) {
                    job.kill(TaskId.worker(1));
                }
                job.takeOver();
                job.await("the next coordinator is as far", () -> isEnding(job));
                job.loseCoordinator();
                job.takeOver();
                job.await("and the one after it", () -> isEnding(job));
                store.heal();

                assertThat(job.awaitEnd().steps()).isEqualTo(steps);
                assertThat(job.awaitEnd().converged()).isTrue();
            }
        }
    }

    private static boolean isEnding(TestJob job) {
        return job.coordinator.status().state() == CoordinatorStatus.State.ENDING;
    }

    /** Ends by its losses, so that a step waits for a decision at the end of each epoch. */
    private TestJob digits() throws IOException {
        return digits(store());
    }

    private static TestJob digits(CheckpointStore store) throws IOException {
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(
                        TrainingMode.SYNCHRONOUS,
                        Communication.PARAMETER_SERVER,
                        64,
                        1,
                        new Optimizer.Sgd(0.05, 0.9, 0)),
                new StopRule.FirstOf(List.of(new StopRule.TargetLoss(0.3), new StopRule.MaxEpochs(1_000))),
                OptionalDouble.empty(),
                new Allocation(1, 1),
                new Checkpoint(50, 3_600),
                new TrainingSettings.Timing(100, 3_000, 10_000, 5_000, 5_000, 0, 500, 60_000));
        return TestJob.surviving(settings, store, () -> new SlowEngine(perceptron(), 6_000));
    }

    private static TrainingEngine perceptron() {
        try {
            return new PlainPerceptron(Datasets.open("digits"), List.of(16));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    public void tasksEndThemselvesIfNobodyTakesOver() throws IOException {
        try (TestJob job = counting(TrainingMode.SYNCHRONOUS)) {
            Set<TaskId> members = job.add(1, 2);
            job.resizeTo(members);
            job.awaitStep(20);
            job.loseCoordinator();
            job.await("all tasks have ended", () -> job.endedBadly.keySet().equals(members));
        }
    }
}
