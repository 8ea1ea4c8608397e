package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.dataset.Datasets;
import io.optimus.am.engine.LearningRateSchedule;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.ScheduledRates;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WrappedEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public final class ElasticTrainingTest {
    private static final int FLOATS = 1003;
    private static final int FOREVER = 1_000_000;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestJob counting(int epochs) throws IOException {
        return job(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), epochs),
                1,
                () -> new CountingEngine(FLOATS, 200));
    }

    private TestJob job(TrainingSettings settings, int attempt, Supplier<TrainingEngine> engines) throws IOException {
        return new TestJob(settings, new LocalCheckpointStore(store()), attempt, engines);
    }

    private Path store() {
        return folder.getRoot().toPath().resolve("store");
    }

    private static TrainingEngine perceptron() {
        try {
            return new PlainPerceptron(Datasets.open("digits"), List.of(32));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    public void growsAndShrinksWithoutLosingOrRepeatingAStep() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 1));
            job.resizeTo(members);
            job.awaitStep(20);
            members.addAll(job.add(0, 3));
            job.resizeTo(members);
            job.awaitStep(job.step() + 20);
            members.addAll(job.add(2, 0));
            job.resizeTo(members);
            job.awaitStep(job.step() + 20);
            members.remove(TaskId.worker(0));
            members.remove(TaskId.worker(2));
            job.resizeTo(members);
            job.awaitStep(job.step() + 20);
            members.remove(TaskId.server(0));
            members.remove(TaskId.server(1));
            job.resizeTo(members);
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            TrainingResult result = job.awaitEnd();
            job.resizes.forEach(resize -> System.out.println(
                    "pause " + resize.from() + " to " + resize.to() + ": " + resize.pauseMillis() + " ms"));
            job.assertEveryStepOnce();
            assertThat(job.curve()).hasSize((int) result.steps());
            assertThat(job.lost).isEmpty();
            assertThat(job.endedBadly).isEmpty();
            assertThat(job.released).hasSize(7);
            assertThat(job.steppedBack).isEmpty();
            assertThat(job.resizes).extracting(Resize::pauseMillis).allMatch(millis -> millis < 1_000);
        }
    }

    @Test
    public void savesInTimeWhenStepsTakeLong() throws IOException {
        TrainingSettings each = TestJob.settings(
                TrainingMode.SYNCHRONOUS,
                new Optimizer.Sgd(1, 0, 0),
                FOREVER,
                new Checkpoint(FOREVER, 1),
                new TrainingSettings.Timing(100, 3_000, 3_000, 5_000, 5_000, 0, 500, 60_000));
        try (TestJob job = job(each, 1, () -> new CountingEngine(FLOATS, 5_000))) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            job.await("two checkpoints", () -> job.checkpoints.size() >= 2);
            job.kill(TaskId.server(1));
            members.remove(TaskId.server(1));
            job.await("one server is left", () -> job.stepsOn(members));
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(job.steppedBack).hasSize(1);
            assertThat(job.checkpoints).allMatch(step -> step < FOREVER);
            assertThat(job.steppedBack.get(0)).doesNotEndWith(" to 0");
        }
    }

    @Test
    public void goesOnWithoutWorkerThatDied() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 3));
            job.resizeTo(members);
            job.awaitStep(20);
            job.kill(TaskId.worker(0));
            members.remove(TaskId.worker(0));
            job.await("two workers are left", () -> job.stepsOn(members));
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(job.lost).containsOnlyKeys(TaskId.worker(0));
            assertThat(job.resizes.get(1).cause()).isEqualTo(Cause.WORKER_LOST);
            assertThat(job.steppedBack).isEmpty();
        }
    }

    @Test
    public void goesBackToCheckpointWhenServerDied() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            job.await("a checkpoint", () -> job.checkpoints.size() > 2);
            job.kill(TaskId.server(1));
            members.remove(TaskId.server(1));
            job.await("one server is left", () -> job.stepsOn(members));
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(job.steppedBack).hasSize(1);
            assertThat(job.resizes.get(1).cause()).isEqualTo(Cause.SERVER_LOST);
        }
    }

    @Test
    public void waitsForTasksBelowItsMinimum() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            job.resizeTo(job.add(1, 1));
            job.awaitStep(20);
            job.kill(TaskId.worker(0));
            job.await("it waits", () -> job.coordinator.status().state() == CoordinatorStatus.State.WAITING);
            Set<TaskId> members = new TreeSet<>(job.add(0, 1));
            members.add(TaskId.server(0));
            job.resizeTo(members);
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(job.steppedBack).isEmpty();
        }
    }

    @Test
    public void parksWithCheckpointWhenTargetIsNothing() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            job.resizeTo(job.add(1, 2));
            job.awaitStep(20);
            job.coordinator.target(Set.of());
            job.await("all tasks are released", () -> job.released.size() == 3);
            goesOnWhereItParked(job, job.add(2, 1));
        }
    }

    private static void goesOnWhereItParked(TestJob job, Set<TaskId> members) {
        long parkedAt = job.step();
        job.resizeTo(members);
        job.awaitStep(parkedAt + 20);
        job.coordinator.stop("test");
        job.awaitEnd();
        job.assertEveryStepOnce();
        assertThat(job.steppedBack).isEmpty();
    }

    @Test
    public void parksWithCheckpointWhenItWaitsForAWorkerThatDied() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            job.resizeTo(job.add(1, 1));
            job.awaitStep(20);
            job.kill(TaskId.worker(0));
            job.await("it waits", () -> job.coordinator.status().state() == CoordinatorStatus.State.WAITING);
            job.coordinator.target(Set.of());
            job.await("the server is released", () -> job.released.size() == 1);
            goesOnWhereItParked(job, job.add(1, 1));
        }
    }

    @Test
    public void workerThatDiesDuringAResizeCostsNoStep() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            for (int round = 0; round < 6; round++) {
                job.awaitStep(job.step() + 5);
                TaskId joining = job.add(Role.WORKER);
                TaskId dying = members.stream()
                        .filter(task -> task.role() == Role.WORKER)
                        .findFirst()
                        .orElseThrow();
                members.add(joining);
                job.coordinator.target(members);
                java.util.concurrent.locks.LockSupport.parkNanos(round * 500_000L);
                job.kill(dying);
                members.remove(dying);
                job.await("members are " + members, () -> job.stepsOn(members));
            }
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(job.steppedBack).isEmpty();
        }
    }

    @Test
    public void lastOfManyQuickTargetsWins() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            Set<TaskId> all = new TreeSet<>(job.add(3, 3));
            Set<TaskId> fewer = new TreeSet<>(Set.of(TaskId.server(0), TaskId.server(1), TaskId.worker(0)));
            fewer.add(TaskId.worker(1));
            job.resizeTo(all);
            for (int round = 0; round < 20; round++) {
                job.coordinator.target(Set.of(TaskId.server(0), TaskId.worker(0), TaskId.worker(1)));
                job.coordinator.target(all);
                java.util.concurrent.locks.LockSupport.parkNanos(round * 200_000L);
            }
            // A shrink that was done before the next target came has released its tasks.
            job.await("members are all that were not released", () -> {
                Set<TaskId> left = new TreeSet<>(all);
                left.removeAll(job.endedWell);
                return job.stepsOn(left);
            });
            fewer.removeAll(job.endedWell);
            job.resizeTo(fewer);
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.assertEveryStepOnce();
            assertThat(job.steppedBack).isEmpty();
        }
    }

    @Test
    public void nextAttemptResumesWithOtherNumberOfServers() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            job.resizeTo(job.add(1, 1));
            job.await("a checkpoint", () -> job.checkpoints.stream().anyMatch(step -> step >= 50));
            job.coordinator.close();
            job.await("tasks end without their coordinator", () -> job.endedBadly.size() == 2);
        }
        try (TestJob job = job(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), FOREVER),
                2,
                () -> new CountingEngine(FLOATS, 200))) {
            assertThat(job.warnings).isEmpty();
            assertThat(job.coordinator.status().progress().step())
                    .as("known before any task")
                    .isGreaterThanOrEqualTo(50);
            job.resizeTo(job.add(3, 2));
            assertThat(job.resizes.get(0).step()).isGreaterThanOrEqualTo(50);
            job.awaitStep(job.step() + 20);
            job.coordinator.stop("test");
            job.awaitEnd();
            job.curve().forEach((step, loss) -> assertThat(loss).isEqualTo((double) step));
        }
    }

    @Test
    public void lossDoesNotDependOnMembership() throws IOException {
        assertLossDoesNotDependOnMembership(ElasticTrainingTest::perceptron);
    }

    @Test
    public void lossDoesNotDependOnMembershipWithSchedule() throws IOException {
        LearningRateSchedule schedule =
                new LearningRateSchedule(0.1, 1e-4, 1.5, new LearningRateSchedule.Step(List.of(3.0, 5.5, 8.0), 0.3));
        assertLossDoesNotDependOnMembership(() -> new ScheduledRates(perceptron(), schedule));
    }

    private void assertLossDoesNotDependOnMembership(Supplier<TrainingEngine> engine) throws IOException {
        TrainingSettings settings =
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(0.1, 0.9, 1e-4), FOREVER);
        Map<Long, Double> alone;
        try (TestJob job = job(settings, 1, engine)) {
            job.resizeTo(job.add(1, 1));
            job.awaitStep(251);
            alone = job.curve();
        }
        Path otherStore = folder.getRoot().toPath().resolve("other");
        try (TestJob job = new TestJob(
                settings, new LocalCheckpointStore(otherStore), 1, () -> new SlowEngine(engine.get(), 1_000))) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 1));
            Set<TaskId> more = new TreeSet<>(job.add(2, 3));
            job.resizeTo(members);
            job.awaitStep(20);
            members.addAll(more);
            job.resizeTo(members);
            job.awaitStep(90);
            members.remove(TaskId.worker(1));
            members.remove(TaskId.server(0));
            job.resizeTo(members);
            job.awaitStep(150);
            members.remove(TaskId.worker(0));
            members.remove(TaskId.server(2));
            job.resizeTo(members);
            job.awaitStep(251);
            double worst = 0;
            for (long step = 0; step < 250; step++) {
                double one = alone.getOrDefault(step, Double.NaN);
                worst = Math.max(worst, Math.abs(job.curve().getOrDefault(step, Double.NaN) - one) / one);
            }
            System.out.println("loss with and without resizes, largest relative difference of 250 steps: " + worst
                    + ", loss " + alone.get(0L) + " to " + alone.get(249L));
            assertThat(worst).isLessThan(1e-3);
            assertThat(job.resizes).hasSize(4);
        }
    }

    @Test
    public void endsByItsRuleWithModelAndEvaluation() throws IOException {
        TrainingSettings settings =
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Adam(0.01, 0.9, 0.999, 1e-8, 0, false), 20);
        try (TestJob job = job(settings, 1, ElasticTrainingTest::perceptron)) {
            job.resizeTo(job.add(2, 2));
            TrainingResult result = job.awaitEnd();
            assertThat(result.converged()).isFalse();
            assertThat(result.epochs()).isGreaterThanOrEqualTo(20);
            assertThat(result.evaluation().orElseThrow().accuracy()).isGreaterThan(0.93);
            assertThat(result.model()).contains("model.bin");
            job.await("all four tasks end well", () -> job.endedWell.size() == 4);
            String header = Files.readString(store().resolve("model.bin"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .findFirst()
                    .orElseThrow();
            assertThat(header).contains("\"format\":\"optimus-model\"");
        }
        assertThat(store()).isDirectoryNotContaining("glob:**.draft");
    }

    @Test
    public void keepsTheFilesOfOneProgramAndItsWarnings() throws IOException {
        Path left = folder.getRoot().toPath().resolve("left");
        Files.write(Files.createDirectories(left.resolve("plots")).resolve("loss.png"), new byte[200_000]);
        Files.writeString(left.resolve("model.pt"), "tensors");
        Files.writeString(left.resolve("result.json"), "taken");
        ProgramOutput output = new ProgramOutput(Optional.of(left), List.of("it ended badly"));
        TrainingSettings settings = TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(0.05, 0, 0), 1);
        try (TestJob job = job(settings, 1, () -> new WrappedEngine(perceptron()) {
            @Override
            public ProgramOutput output() {
                return output;
            }
        })) {
            job.resizeTo(job.add(2, 1));
            job.awaitEnd();
            Path kept = store().resolveSibling("output");
            assertThat(kept.resolve("model.pt")).hasContent("tensors");
            assertThat(kept.resolve("plots/loss.png")).hasSize(200_000);
            assertThat(kept.resolve("result.json")).doesNotExist();
            assertThat(job.warnings)
                    .hasSize(2)
                    .contains("it ended badly")
                    .anyMatch(warning -> warning.startsWith("The program's files result.json are not kept"));
        }
    }

    @Test
    public void learnsAsynchronouslyWhileItsWorkersAndServersChange() throws IOException {
        TrainingSettings settings = TestJob.settings(TrainingMode.ASYNCHRONOUS, new Optimizer.Sgd(0.05, 0, 0), 60);
        try (TestJob job = job(settings, 1, () -> new SlowEngine(perceptron(), 500))) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 1));
            job.resizeTo(members);
            job.awaitStep(50);
            members.addAll(job.add(0, 2));
            job.resizeTo(members);
            job.awaitStep(job.step() + 50);
            members.addAll(job.add(1, 0));
            job.resizeTo(members);
            job.awaitStep(job.step() + 50);
            members.remove(TaskId.worker(0));
            job.resizeTo(members);
            job.awaitStep(job.step() + 50);
            job.kill(TaskId.worker(1));
            TrainingResult result = job.awaitEnd();
            job.resizes.forEach(resize -> System.out.println("asynchronous pause " + resize.from() + " to "
                    + resize.to() + ": " + resize.pauseMillis() + " ms"));
            assertThat(result.evaluation().orElseThrow().accuracy()).isGreaterThan(0.9);
            assertThat(job.lost).containsOnlyKeys(TaskId.worker(1));
            assertThat(job.curve().lastKey() + 1).isEqualTo(job.curve().size());
        }
    }

    @Test
    public void failsWithRemedyWhenTrainingDiverges() throws IOException {
        TrainingSettings settings = TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1e30, 0, 0), FOREVER);
        try (TestJob job = job(settings, 1, ElasticTrainingTest::perceptron)) {
            job.coordinator.target(job.add(1, 2));
            job.await("it fails", () -> job.failure != null);
            assertThat(job.failure).contains("diverged").contains("lower the learning rate");
            job.await("all three tasks end well", () -> job.endedWell.size() == 3);
        }
    }

    @Test
    public void namesWorkerThatHangs() throws IOException {
        TrainingSettings.Timing timing = new TrainingSettings.Timing(50, 5_000, 5_000, 500, 500, 0, 500, 60_000);
        TrainingSettings settings =
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), FOREVER, timing);
        TaskId hanging = TaskId.worker(1);
        int[] engines = new int[1];
        try (TestJob job = job(
                settings,
                1,
                () -> engines[0]++ == hanging.index()
                        ? new SlowEngine(new CountingEngine(FLOATS, 0), 30, 3_000_000)
                        : new CountingEngine(FLOATS, 200))) {
            Set<TaskId> members = new TreeSet<>(job.add(1, 3));
            job.coordinator.target(members);
            job.await("the hanging worker is lost", () -> job.lost.containsKey(hanging));
            members.remove(hanging);
            job.await("the others go on", () -> job.stepsOn(members));
            assertThat(job.lost).containsOnlyKeys(hanging);
            assertThat(job.lost.get(hanging)).contains("one step");
        }
    }

    @Test
    public void refusesTaskWithoutTheSecret() throws IOException {
        try (TestJob job = counting(FOREVER)) {
            TaskEnvironment unknown = new TaskEnvironment(
                    "127.0.0.1", job.coordinator.port(), TaskId.worker(9), "127.0.0.1", JobSecret.random());
            Assertions.assertThatThrownBy(() -> CoordinatorConnection.connect(unknown))
                    .isInstanceOf(IOException.class);
            assertThat(job.coordinator.status().tasks()).isEmpty();
        }
    }

    @Test
    public void measuresSpeedOverUnbrokenStepping() throws IOException {
        try (TestJob job = job(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), FOREVER),
                1,
                () -> new CountingEngine(FLOATS, 10_000))) {
            job.resizeTo(job.add(1, 2));
            job.await("a speed", () -> !job.speeds.isEmpty());
            assertThat(job.speeds.get(0).allocation()).isEqualTo(new Allocation(1, 2));
            // A step takes 10 ms or, on a busy machine, longer.
            assertThat(job.speeds.get(0).stepsPerSecond()).isBetween(5.0, 101.0);
        }
    }
}
