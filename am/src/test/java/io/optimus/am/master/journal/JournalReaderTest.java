package io.optimus.am.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.master.journal.ResizeRecord.ResizeReason;
import io.optimus.am.master.journal.TrainingHistory.PlacedSpeed;
import io.optimus.am.master.journal.TrainingHistory.PlacedSteps;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class JournalReaderTest {
    private static final ResizeRecord GROWN = new ResizeRecord(
            7_000, new Allocation(1, 1), new Allocation(2, 3), 250, 40, new ResizeReason(true, 12, true, "more pays"));

    private static final PlacedSpeed SPEED =
            new PlacedSpeed(new SpeedSample(new Allocation(2, 3), 2, 4.5, 5), Optional.of("b:1"));

    private static final PlacedSteps STEPS =
            new PlacedSteps(new ThroughputObservation(2, 3, 16, 0.25, 0.5), Optional.of("b:1"));

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path first = new Path("unset");
    private FileSystem fileSystem;

    @Before
    public void findFolder() throws IOException {
        JobDirectory directory = new JobDirectory(new Path(folder.getRoot().toURI()));
        first = directory.journal();
        fileSystem = directory.root().getFileSystem(new Configuration());
    }

    @Test
    public void beginsWithTheHistoryOfTheJobThatIsResumedWithoutItsResizes() throws IOException {
        write(0, journal -> {
            loss(journal, 20, 0.9);
            journal.note("resize", JournalFields.resize(GROWN));
            journal.note("speed", JournalFields.speed(SPEED));
        });
        write(1, journal -> journal.note("resize", JournalFields.resize(GROWN)));

        TrainingHistory history = JournalReader.historyBefore(fileSystem, first, TrainingMode.SYNCHRONOUS, 2, 100);

        assertThat(history.losses()).containsExactly(new LossPoint(20, 0.9));
        assertThat(history.speeds()).containsExactly(SPEED);
        assertThat(history.resizes()).containsExactly(GROWN);
    }

    @Test
    public void readsTheWholeHistoryUpToTheStepThatTrainingGoesOnWith() throws IOException {
        write(1, journal -> {
            journal.note("started", Map.of("attempt", 1));
            loss(journal, 20, 0.9);
            journal.note("resize", JournalFields.resize(GROWN));
            journal.note("speed", JournalFields.speed(SPEED));
            journal.note("step-times", JournalFields.stepTimes(STEPS));
            loss(journal, 60, 0.5);
            journal.note("stepped-back", Map.of("from", 61, "to", 50));
            loss(journal, 55, 0.55);
        });
        write(2, journal -> {
            loss(journal, 90, 0.4);
            journal.note("reported", JournalFields.report(new ProgramReport(100, 3, Map.of("accuracy", 0.75))));
            loss(journal, 110, 0.3);
        });

        TrainingHistory history = JournalReader.historyBefore(fileSystem, first, TrainingMode.SYNCHRONOUS, 3, 100);

        assertThat(history.losses())
                .containsExactly(new LossPoint(20, 0.9), new LossPoint(55, 0.55), new LossPoint(90, 0.4));
        assertThat(history.speeds()).containsExactly(SPEED);
        assertThat(history.stepTimes()).containsExactly(STEPS);
        assertThat(history.resizes()).containsExactly(GROWN);
        assertThat(history.metrics()).containsExactly(entry("accuracy", 0.75));
    }

    @Test
    public void skipsLinesThatItCannotRead() throws IOException {
        write(1, journal -> loss(journal, 20, 0.9));
        Files.writeString(
                folder.getRoot().toPath().resolve(first.getName()),
                "{\"event\":\"loss\",\"step\":30}\n{\"event\":\"loss\",\"st",
                StandardOpenOption.APPEND);

        TrainingHistory history = JournalReader.historyBefore(fileSystem, first, TrainingMode.SYNCHRONOUS, 4, 100);

        assertThat(history.losses()).containsExactly(new LossPoint(20, 0.9));
    }

    @Test
    public void isEmptyForTheFirstAttempt() throws IOException {
        write(1, journal -> loss(journal, 20, 0.9));

        assertThat(JournalReader.historyBefore(fileSystem, first, TrainingMode.SYNCHRONOUS, 1, 0)
                        .losses())
                .isEmpty();
    }

    private interface Writing {
        void to(Journal journal);
    }

    @Test
    public void knowsWhereTasksOfEarlierAttemptsCanBeCalled() throws IOException {
        ServerAddress server = new ServerAddress(TaskId.server(0), "a", 4_000);
        ServerAddress worker = new ServerAddress(TaskId.worker(1), "b", 4_001);
        ServerAddress again = new ServerAddress(TaskId.worker(1), "b", 4_002);
        write(1, journal -> {
            reachable(journal, "container_1", server);
            reachable(journal, "container_2", worker);
        });
        write(2, journal -> {
            reachable(journal, "container_2", again);
            reachable(journal, "container_3", new ServerAddress(TaskId.worker(2), "b", 4_003));
            journal.note(JournalReader.CONTAINER_ENDED, Map.of("container", "container_3"));
        });

        assertThat(JournalReader.tasksBefore(fileSystem, first, 3))
                .containsOnly(entry("container_1", server), entry("container_2", again));
        assertThat(JournalReader.tasksBefore(fileSystem, first, 1)).isEmpty();
    }

    @Test
    public void knowsTheMemoryThatWasRaisedLast() throws IOException {
        write(1, journal -> journal.note(JournalReader.MEMORY_RAISED, JournalFields.memory(Role.WORKER, 1_536)));
        write(2, journal -> journal.note(JournalReader.MEMORY_RAISED, JournalFields.memory(Role.WORKER, 2_048)));

        assertThat(JournalReader.memoryBefore(fileSystem, first, 1)).isEmpty();
        assertThat(JournalReader.memoryBefore(fileSystem, first, 2)).containsOnly(entry(Role.WORKER, 1_536L));
        assertThat(JournalReader.memoryBefore(fileSystem, first, 3)).containsOnly(entry(Role.WORKER, 2_048L));
    }

    @Test
    public void findsTheResultOfATrainingThatHasEnded() throws IOException {
        TrainingResult result = new TrainingResult(
                true,
                "converged",
                120,
                3.5,
                OptionalDouble.of(0.25),
                Optional.of(new Evaluation(0.3, 0.9, 64)),
                Optional.of("model.bin"));
        TrainingResult ofCommands = new TrainingResult(
                false, "the commands have ended", 7, 0, OptionalDouble.empty(), Optional.empty(), Optional.empty());
        write(0, journal -> journal.note(JournalReader.FINISHED, JournalFields.result(ofCommands)));
        write(1, journal -> loss(journal, 1, 2));
        assertThat(JournalReader.resultBefore(fileSystem, first, 2))
                .as("of the job before")
                .isEmpty();

        write(2, journal -> journal.note(JournalReader.FINISHED, JournalFields.result(result)));
        assertThat(JournalReader.resultBefore(fileSystem, first, 2)).isEmpty();
        assertThat(JournalReader.resultBefore(fileSystem, first, 3)).contains(result);

        write(1, journal -> journal.note(JournalReader.FINISHED, JournalFields.result(ofCommands)));
        assertThat(JournalReader.resultBefore(fileSystem, first, 2)).contains(ofCommands);
    }

    @Test
    public void readsOnWhereTheFileSystemFailsInBetween() throws IOException {
        ServerAddress worker = new ServerAddress(TaskId.worker(1), "b", 4_001);
        write(1, journal -> reachable(journal, "container_1", worker));
        AtomicInteger failures = new AtomicInteger(2);
        FileSystem failing = new RawLocalFileSystem() {
            @Override
            public FSDataInputStream open(Path path, int bufferSize) throws IOException {
                if (failures.getAndDecrement() > 0) {
                    throw new IOException("a node restarts");
                }
                return super.open(path, bufferSize);
            }
        };
        failing.initialize(folder.getRoot().toURI(), new Configuration(false));

        assertThat(JournalReader.tasksBefore(failing, first, 2)).isEqualTo(Map.of("container_1", worker));
        assertThat(failures).hasNegativeValue();
    }

    private static void reachable(Journal journal, String container, ServerAddress at) {
        TaskContainer held =
                new TaskContainer(container, at.host() + ":1", at.task().role(), 300, "", false);
        journal.note(JournalReader.REACHABLE, JournalFields.reachable(held, at));
    }

    private void write(int attempt, Writing writing) throws IOException {
        try (FileJournal journal = new FileJournal(fileSystem, FileJournal.ofAttempt(first, attempt), () -> 1)) {
            writing.to(journal);
        }
    }

    private static void loss(Journal journal, long step, double loss) {
        journal.note("loss", Map.of("step", step, "loss", loss));
    }
}
