package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.FaultyStore;
import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WrappedEngine;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** A store that fails for a while costs time, and no job. */
public final class StoreOutagesTest {
    private static final int FLOATS = 1003;
    private static final int FOREVER = 1_000_000;
    private final IOException gone = new IOException("the file system is gone");
    private static final long PATIENT = 60_000;
    private static final long IMPATIENT = 800;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private FaultyStore store;

    @Before
    public void open() throws IOException {
        store = new FaultyStore(new LocalCheckpointStore(path()));
    }

    private Path path() {
        return folder.getRoot().toPath().resolve("store");
    }

    private TestJob job(int epochs, long storeMillis) throws IOException {
        return job(epochs, storeMillis, () -> new CountingEngine(FLOATS, 200));
    }

    private TestJob job(int epochs, long storeMillis, Supplier<TrainingEngine> engines) throws IOException {
        TrainingSettings settings = new TrainingSettings(
                new TrainingSettings.Steps(
                        TrainingMode.SYNCHRONOUS, Communication.PARAMETER_SERVER, 64, 1, new Optimizer.Sgd(1, 0, 0)),
                new StopRule.MaxEpochs(epochs),
                OptionalDouble.empty(),
                new Allocation(1, 1),
                new Checkpoint(50, 3_600),
                new TrainingSettings.Timing(100, 3_000, 3_000, 5_000, 5_000, 0, 500, storeMillis));
        return new TestJob(settings, store, 1, engines);
    }

    private static void awaitFailure(TestJob job, String what) {
        job.await(what, () -> job.warnings.stream()
                .anyMatch(warning -> warning.contains(what) && warning.contains("trying again in")));
    }

    @Test
    public void theFirstCheckpointWaits() throws IOException {
        store.refuse(gone);
        try (TestJob job = job(20, PATIENT)) {
            job.coordinator.target(job.add(1, 1));
            awaitFailure(job, "Checkpoint before step 0 is not saved");
            store.heal();
            assertThat(job.awaitEnd().steps()).isEqualTo(20);
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void theLastCheckpointAndTheModelWait() throws IOException {
        try (TestJob job = job(4_000, PATIENT)) {
            job.resizeTo(job.add(2, 2));
            job.awaitStep(20);
            store.refuse(gone);
            awaitFailure(job, "Checkpoint before step 4000 is not saved");
            store.heal();
            TrainingResult result = job.awaitEnd();
            assertThat(result.model()).contains("model.bin");
            assertThat(job.lost).isEmpty();
            job.assertEveryStepOnce();
        }
    }

    @Test
    public void theModelWaitsForItsCheckpointToBeReadable() throws IOException {
        try (TestJob job = job(4_000, PATIENT)) {
            job.resizeTo(job.add(1, 1));
            job.awaitStep(20);
            store.failReading(gone);
            awaitFailure(job, "The model is not written");
            store.heal();
            assertThat(job.awaitEnd().model()).contains("model.bin");
        }
    }

    @Test
    public void aJobThatParksKeepsItsTasksUntilItIsSaved() throws IOException {
        try (TestJob job = job(FOREVER, PATIENT)) {
            Set<TaskId> members = job.add(2, 2);
            job.resizeTo(members);
            job.awaitStep(20);
            store.refuse(gone);
            job.coordinator.target(Set.of());
            awaitFailure(job, "is not saved");
            assertThat(job.endedWell).isEmpty();
            store.heal();
            job.await("all tasks have left", () -> job.endedWell.containsAll(members));
            assertThat(job.lost).isEmpty();
        }
    }

    @Test
    public void parametersOfALostServerWaitUntilTheyCanBeRead() throws IOException {
        try (TestJob job = job(FOREVER, PATIENT)) {
            Set<TaskId> members = new TreeSet<>(job.add(2, 2));
            job.resizeTo(members);
            job.await("a checkpoint", () -> !job.checkpoints.isEmpty());
            store.failReading(gone);
            job.kill(TaskId.server(0));
            members.remove(TaskId.server(0));
            members.add(job.add(Role.PARAMETER_SERVER));
            job.coordinator.target(members);
            awaitFailure(job, "could not be read");
            store.heal();
            job.await("it steps on", () -> job.stepsOn(members));
            job.awaitStep(job.step() + 20);
            assertThat(job.lost).containsOnlyKeys(TaskId.server(0));
        }
    }

    @Test
    public void anOlderCheckpointIsLoadedWhereTheNewestStaysUnreadable() throws IOException {
        try (TestJob job = jobThatLosesAServer(IMPATIENT, () -> store.failReading(gone, new FirstOnly()))) {
            assertThat(job.warnings)
                    .anyMatch(warning -> warning.contains("trying again in"))
                    .anyMatch(warning -> warning.contains("training goes on from"));
        }
    }

    @Test
    public void anOlderCheckpointIsLoadedAtOnceWhereTheNewestIsDamaged() throws IOException {
        try (TestJob job = jobThatLosesAServer(PATIENT, () -> store.damage(new FirstOnly()))) {
            assertThat(job.warnings)
                    .noneMatch(warning -> warning.contains("trying again"))
                    .anyMatch(warning -> warning.contains("training goes on from"));
        }
    }

    @Test
    public void anOlderCheckpointIsLoadedWhereAPartOfTheNewestIsDamaged() throws IOException {
        try (TestJob job = jobThatLosesAServer(PATIENT, () -> store.spoil(new FirstOnly()))) {
            assertThat(job.warnings)
                    .noneMatch(warning -> warning.contains("trying again"))
                    .anyMatch(warning -> warning.contains("the checksum of"))
                    .anyMatch(warning -> warning.contains("training goes on from"));
        }
    }

    private TestJob jobThatLosesAServer(long storeMillis, Runnable fault) throws IOException {
        TestJob job = job(FOREVER, storeMillis);
        Set<TaskId> members = new TreeSet<>(job.add(2, 1));
        job.resizeTo(members);
        job.await("three checkpoints", () -> job.checkpoints.size() > 2);
        fault.run();
        job.kill(TaskId.server(0));
        members.remove(TaskId.server(0));
        job.await("it steps on", () -> job.stepsOn(members));
        assertThat(job.lost).containsOnlyKeys(TaskId.server(0));
        return job;
    }

    /** Is true of the first name only that is asked for. */
    private static final class FirstOnly implements Predicate<String> {
        private final AtomicReference<String> first = new AtomicReference<>();

        @Override
        public boolean test(String name) {
            first.compareAndSet(null, name);
            return name.equals(first.get());
        }
    }

    @Test
    public void theFilesOfAProgramWait() throws IOException {
        Path left = folder.newFolder("left").toPath();
        Files.writeString(left.resolve("model.pt"), "tensors");
        ProgramOutput output = new ProgramOutput(Optional.of(left), List.of());
        try (TestJob job = job(20, PATIENT, () -> new WrappedEngine(new CountingEngine(FLOATS, 200)) {
            @Override
            public ProgramOutput output() {
                store.refuse(gone);
                return output;
            }
        })) {
            job.coordinator.target(job.add(1, 1));
            job.await("the failure is told", () -> job.warnings.stream()
                    .anyMatch(warning -> warning.contains("files are not kept") && warning.endsWith("trying again")));
            store.heal();
            job.awaitEnd();
            assertThat(path().resolveSibling("output").resolve("model.pt")).hasContent("tensors");
        }
    }

    @Test
    public void theNextAttemptWaitsForItsCheckpoint() throws IOException {
        try (TestJob job = job(FOREVER, PATIENT)) {
            job.resizeTo(job.add(1, 1));
            job.await("a checkpoint", () -> job.checkpoints.size() > 1);
        }
        AtomicInteger reads = new AtomicInteger();
        store.failReading(gone, name -> reads.incrementAndGet() < 3);
        try (TestJob job = job(FOREVER, PATIENT)) {
            assertThat(job.step()).isPositive();
            assertThat(job.warnings)
                    .filteredOn(warning -> warning.contains("cannot be read now"))
                    .hasSize(2);
        }
    }

    @Test
    public void aJobThatCannotSaveFailsAtLast() throws IOException {
        try (TestJob job = job(4_000, IMPATIENT)) {
            job.resizeTo(job.add(1, 1));
            job.awaitStep(20);
            store.refuse(gone);
            job.await("the job fails", () -> job.failure != null);
            assertThat(job.failure)
                    .contains(
                            "Checkpoint before step 4000 is not saved",
                            "check that the job's directory can be written");
        }
    }
}
