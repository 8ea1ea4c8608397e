package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/**
 * Trains an engine that behaves as an owner's program, whose settings differ from the job's. However the membership changes,
 * the losses stay the same, and training ends after the same step.
 */
public final class ProgramTrainingTest {
    private static final int JOB_EPOCHS = 1_000;
    /** 60 epochs of 100 samples in batches of 24. */
    private static final ProgramSettings PROGRAM = ScheduledEngine.program(24, 60);

    private static final long STEPS = 250;
    private static final long SEED = Long.getLong("optimus.chaos.seed", 20260102);

    @Rule
    public final Timeout timeout = Timeout.seconds(100);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestJob job(TrainingMode mode, ProgramSettings program, long stepMicros) throws IOException {
        return new TestJob(
                TestJob.settings(mode, new Optimizer.Sgd(1, 0, 0), JOB_EPOCHS),
                new LocalCheckpointStore(folder.newFolder().toPath()),
                1,
                () -> new ScheduledEngine(program, mode == TrainingMode.SYNCHRONOUS, stepMicros));
    }

    private NavigableMap<Long, Double> losses(ProgramSettings program, int servers, int workers) throws IOException {
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, program, 0)) {
            job.coordinator.target(job.add(servers, workers));
            job.awaitEnd();
            return job.curve();
        }
    }

    private static void assertSame(NavigableMap<Long, Double> losses, NavigableMap<Long, Double> expected) {
        assertThat(losses.keySet()).isEqualTo(expected.keySet());
        expected.forEach((step, loss) -> assertThat(losses.get(step))
                .as("loss of step %d", step)
                .isCloseTo(loss, org.assertj.core.api.Assertions.within(1e-5 * (1 + loss))));
    }

    @Test
    public void lossesAndLastStepDoNotDependOnTheMembership() throws IOException {
        NavigableMap<Long, Double> alone = losses(PROGRAM, 1, 1);
        assertThat(alone).hasSize((int) STEPS);
        assertThat(alone.lastEntry().getValue())
                .isLessThan(0.05 * alone.firstEntry().getValue());
        assertSame(losses(PROGRAM, 3, 2), alone);
    }

    @Test
    public void workersWithoutSamplesDecideNothing() throws IOException {
        ProgramSettings two = ScheduledEngine.program(2, 2);
        assertSame(losses(two, 2, 3), losses(two, 1, 1));
    }

    @Test
    public void endsAfterItsLastStepAndReportsOnce() throws IOException {
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, ScheduledEngine.program(24, 5), 0)) {
            job.coordinator.target(job.add(2, 3));
            TrainingResult result = job.awaitEnd();
            assertThat(result.steps()).as("500 samples in batches of 24").isEqualTo(21);
            assertThat(result.reason()).contains("all 5 epochs of the program");
            assertThat(result.model()).isPresent();
            List<String> reports = job.reports.stream()
                    .map(report -> report.values().toString())
                    .toList();
            assertThat(reports)
                    .containsExactly(
                            "{accuracy=0.0}",
                            "{accuracy=0.01}",
                            "{accuracy=0.02}",
                            "{accuracy=0.03}",
                            "{accuracy=0.04}",
                            "{accuracy=1.0}");
            assertThat(job.reports).extracting(ProgramReport::step).startsWith(0L, 5L, 9L, 13L, 17L);
            assertThat(job.coordinator.status().program())
                    .contains(ScheduledEngine.program(24, 5).withBends(ScheduledEngine.BENDS));
        }
    }

    @Test
    public void staysTheSameWhenResizedAtRandomAndWorkersDie() throws IOException {
        assertThat(changedAtRandom(PROGRAM, STEPS, 2_000, SEED)).isGreaterThan(3);
    }

    @Test
    public void endsAfterTheSameStepWhateverHappensAroundIt() throws IOException {
        for (int round = 0; round < 10; round++) {
            changedAtRandom(ScheduledEngine.program(50, 10), 20, 300, SEED + round);
        }
    }

    /** Returns the number of memberships. */
    private int changedAtRandom(ProgramSettings program, long steps, long stepMicros, long seed) throws IOException {
        NavigableMap<Long, Double> alone = losses(program, 1, 1);
        Random random = new Random(seed);
        List<String> history = new ArrayList<>(List.of("seed " + seed));
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, program, stepMicros)) {
            SortedSet<TaskId> wanted = new TreeSet<>(job.add(1, 1));
            job.coordinator.target(wanted);
            while (job.step() < steps && job.result == null && job.failure == null) {
                history.add("step " + job.step() + " " + change(job, wanted, random));
                job.coordinator.target(wanted);
                long next = Math.min(steps, job.step() + random.nextInt(12));
                job.await("step " + next, () -> job.step() >= next || job.failure != null);
            }
            assertThat(job.awaitEnd().steps()).isEqualTo(steps);
            assertSame(job.curve(), alone);
            assertThat(job.steppedBack).isEmpty();
            return job.resizes.size();
        } catch (AssertionError e) {
            throw new AssertionError(history + ": " + e.getMessage(), e);
        }
    }

    private static String change(TestJob job, SortedSet<TaskId> wanted, Random random) throws IOException {
        Role role = random.nextBoolean() ? Role.WORKER : Role.PARAMETER_SERVER;
        List<TaskId> same = wanted.stream().filter(task -> task.role() == role).toList();
        TaskId any = same.get(random.nextInt(same.size()));
        if (same.size() == 1 || (same.size() < 4 && random.nextBoolean())) {
            TaskId added = job.addWithoutWaiting(role);
            wanted.add(added);
            return "adds " + added;
        }
        wanted.remove(any);
        if (role == Role.WORKER && random.nextBoolean()) {
            job.kill(any);
            return "kills " + any;
        }
        return "removes " + any;
    }

    @Test
    public void staysTheSameWhenAServerDies() throws IOException {
        NavigableMap<Long, Double> alone = losses(PROGRAM, 1, 1);
        try (TestJob job = job(TrainingMode.SYNCHRONOUS, PROGRAM, 1_000)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            job.await("a checkpoint", () -> job.checkpoints.size() > 2);
            job.kill(TaskId.server(1));
            assertThat(job.awaitEnd().steps()).isEqualTo(STEPS);
            assertSame(job.curve(), alone);
            assertThat(job.steppedBack).hasSize(1);
        }
    }

    private static TrainingSettings untilAccuracy(double accuracy) {
        TrainingSettings all = TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), JOB_EPOCHS);
        return new TrainingSettings(
                all.steps(), all.stop(), OptionalDouble.of(accuracy), all.minimum(), all.checkpoint(), all.timing());
    }

    private TrainingResult trainUntilAccuracy(double accuracy) throws IOException {
        try (TestJob job = new TestJob(
                untilAccuracy(accuracy),
                new LocalCheckpointStore(folder.newFolder().toPath()),
                1,
                () -> new ScheduledEngine(PROGRAM, true, 1_000))) {
            job.coordinator.target(job.add(1, 2));
            return job.awaitEnd();
        }
    }

    @Test
    public void endsConvergedWhenTheProgramReportsTheTargetAccuracy() throws IOException {
        TrainingResult early = trainUntilAccuracy(0.2);
        assertThat(early.converged()).isTrue();
        assertThat(early.reason()).contains("an accuracy of 0.2000 in epoch 21, the target is 0.2000");
        assertThat(early.steps()).isBetween(84L, 100L);
        assertThat(early.model()).isPresent();
    }

    @Test
    public void hasConvergedWhenTheReportAfterTheLastStepReachesTheTarget() throws IOException {
        TrainingResult last = trainUntilAccuracy(0.99);
        assertThat(last.steps()).isEqualTo(STEPS);
        assertThat(last.converged()).isTrue();
        assertThat(last.reason()).contains("an accuracy of 1.000 in epoch 60");
    }

    @Test
    public void learnsAsynchronously() throws IOException {
        try (TestJob job = job(TrainingMode.ASYNCHRONOUS, PROGRAM, 200)) {
            job.coordinator.target(job.add(2, 2));
            TrainingResult result = job.awaitEnd();
            assertThat(result.steps()).isBetween(STEPS, 2 * STEPS);
            assertThat(job.curve().lastEntry().getValue())
                    .isLessThan(0.1 * job.curve().firstEntry().getValue());
        }
    }

    @Test
    public void anAttemptThatBeginsAfterTheLastStepOnlyEvaluates() throws IOException {
        LocalCheckpointStore store = new LocalCheckpointStore(folder.getRoot().toPath());
        TrainingSettings settings = TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), JOB_EPOCHS);
        for (int attempt = 1; attempt <= 2; attempt++) {
            try (TestJob job = new TestJob(
                    settings, store, attempt, () -> new ScheduledEngine(ScheduledEngine.program(24, 5), true, 0))) {
                job.coordinator.target(job.add(attempt, 2));
                TrainingResult result = job.awaitEnd();
                assertThat(result.steps()).isEqualTo(21);
                assertThat(result.reason()).contains("all 5 epochs of the program");
                assertThat(result.model()).isPresent();
                assertThat(job.curve()).hasSize(attempt == 1 ? 21 : 0);
            }
        }
    }

    @Test
    public void refusesAWorkerWithAnotherProgramAndSaysWhy() throws IOException {
        List<ProgramSettings> programs = new ArrayList<>(List.of(PROGRAM, ScheduledEngine.program(32, 60)));
        try (TestJob job = new TestJob(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), JOB_EPOCHS),
                new LocalCheckpointStore(folder.newFolder().toPath()),
                1,
                () -> new ScheduledEngine(programs.remove(0), true, 0))) {
            job.add(Role.WORKER);
            TaskId other = job.addWithoutWaiting(Role.WORKER);
            job.await("it is refused", () -> job.lost.containsKey(other));
            assertThat(job.lost.get(other)).contains("its batch differs from the other workers': 32, theirs: 24");
        }
    }
}
