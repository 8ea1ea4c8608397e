package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.master.journal.FileJournal;
import io.optimus.am.wire.JobSecret;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class HadoopFilesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Configuration configuration = new Configuration();
    private FileSystem fileSystem = new RawLocalFileSystem();
    private JobDirectory directory = new JobDirectory(new Path("unset"));

    @Before
    public void findFolder() throws IOException {
        directory = new JobDirectory(new Path(folder.getRoot().toURI()));
        fileSystem = directory.root().getFileSystem(configuration);
    }

    @Test
    public void listsACheckpointOnlyOnceItIsComplete() throws IOException {
        HadoopCheckpointStore store = new HadoopCheckpointStore(fileSystem, directory.checkpoints());
        try (Draft draft = store.create("step-10")) {
            draft.out().write(1);
            assertThat(store.names()).isEmpty();
            assertThatThrownBy(() -> store.open("step-10")).isInstanceOf(FileNotFoundException.class);
            draft.commit();
        }
        try (Draft givenUp = store.create("step-20")) {
            givenUp.out().write(2);
        }

        assertThat(store.names()).containsExactly("step-10");
        assertThat(new File(folder.getRoot(), "checkpoints").list())
                .allMatch(name -> name.startsWith("step-10") || name.startsWith(".step-10"));
    }

    @Test
    public void replacesACheckpointOfTheSameName() throws IOException {
        HadoopCheckpointStore store = new HadoopCheckpointStore(fileSystem, directory.checkpoints());
        for (int content : new int[] {1, 2}) {
            try (Draft draft = store.create("latest")) {
                draft.out().write(content);
                draft.commit();
            }
        }

        try (var in = store.open("latest")) {
            assertThat(in.length()).isEqualTo(1);
            byte[] bytes = new byte[2];
            assertThat(in.read(bytes, 1, 1)).isEqualTo(1);
            assertThat(bytes).containsExactly(0, 2);
            assertThat(in.read(bytes, 0, 1)).isEqualTo(-1);
            in.seek(0);
            assertThat(in.read(bytes, 0, 2)).isEqualTo(1);
        }
        store.delete("latest");
        store.delete("latest");
        assertThat(store.names()).isEmpty();
    }

    @Test
    public void deletesIncompleteFilesOfAnEarlierAttempt() throws IOException {
        HadoopCheckpointStore first = new HadoopCheckpointStore(fileSystem, directory.checkpoints());
        Draft interrupted = first.create("step-10");
        interrupted.out().write(1);
        interrupted.out().close();

        new HadoopCheckpointStore(fileSystem, directory.checkpoints());

        assertThat(fileSystem.listStatus(directory.checkpoints())).isEmpty();
    }

    /** Hadoop's local file system throws an Error then. */
    @Test
    public void fullDiskIsAnException() throws IOException {
        java.nio.file.Path full = java.nio.file.Path.of("/dev/full");
        assumeTrue("there is no /dev/full", Files.exists(full));
        HadoopCheckpointStore store = new HadoopCheckpointStore(fileSystem, directory.checkpoints());
        Files.createSymbolicLink(
                folder.getRoot().toPath().resolve("checkpoints/" + HadoopCheckpointStore.HIDDEN + "step-10"), full);

        Draft draft = store.create("step-10");
        assertThatThrownBy(() -> draft.out().write(new byte[1 << 20]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left");
        assertThatThrownBy(draft::close).isInstanceOf(IOException.class);

        assertThat(store.names()).isEmpty();
        try (Draft again = store.create("step-10")) {
            again.out().write(1);
            again.commit();
        }
        assertThat(store.names()).containsExactly("step-10");
    }

    /** As HDFS does. */
    @Test
    public void closingMayThrowTheExceptionOfAWriteAgain() {
        IOException exceeded = new IOException("The quota is exceeded");
        OutputStream failing = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw exceeded;
            }

            @Override
            public void close() throws IOException {
                throw exceeded;
            }
        };
        assertThatThrownBy(() -> {
                    try (OutputStream out = FileErrors.asExceptions(failing)) {
                        out.write(1);
                    }
                })
                .isSameAs(exceeded);
        assertThatThrownBy(() -> {
                    try (OutputStream out = FileErrors.asExceptions(failing)) {
                        out.close();
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("The quota is exceeded");
    }

    @Test
    public void refusesNamesOutsideTheFolder() throws IOException {
        HadoopCheckpointStore store = new HadoopCheckpointStore(fileSystem, directory.checkpoints());

        assertThatThrownBy(() -> store.create("../job.json")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.createOutput("a/../../job.json")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void writesOneJsonObjectALine() throws IOException {
        try (FileJournal journal = new FileJournal(fileSystem, directory.journal(), () -> 99)) {
            journal.note("loss", Map.of("step", 3));
            journal.note("warning", Map.of("message", "two\nlines"));
        }

        List<String> lines = Files.readAllLines(folder.getRoot().toPath().resolve("journal.jsonl"));
        assertThat(lines).hasSize(2);
        JsonNode first = new ObjectMapper().readTree(lines.get(0));
        assertThat(first.path("at").asLong()).isEqualTo(99);
        assertThat(first.path("event").asText()).isEqualTo("loss");
        assertThat(first.path("step").asInt()).isEqualTo(3);
    }

    @Test
    public void keepsAJournalForEachAttempt() {
        assertThat(FileJournal.ofAttempt(new Path("/job/journal.jsonl"), 1)).hasToString("/job/journal.jsonl");
        assertThat(FileJournal.ofAttempt(new Path("/job/journal.jsonl"), 2)).hasToString("/job/journal-2.jsonl");
    }

    /** A store that fails twice, and then works. */
    public static final class FailingTwice extends RawLocalFileSystem {
        private static final AtomicInteger FAILURES = new AtomicInteger();

        @Override
        public URI getUri() {
            return URI.create("failing-twice:///");
        }

        @Override
        public FileStatus getFileStatus(Path path) throws IOException {
            if (FAILURES.incrementAndGet() <= 2) {
                throw new IOException("no DataNode answers");
            }
            return super.getFileStatus(new Path(path.toUri().getPath()));
        }

        @Override
        public FSDataInputStream open(Path path, int size) throws IOException {
            return super.open(new Path(path.toUri().getPath()), size);
        }
    }

    @Test
    public void anAttemptThatBeginsReadsItsFilesOnceTheStoreAnswers() throws IOException {
        JobSecret secret = JobSecret.random();
        write(directory.secret(), secret.text());
        configuration.set("fs.failing-twice.impl", FailingTwice.class.getName());
        JobDirectory failing = new JobDirectory(
                new Path("failing-twice", null, directory.root().toUri().getPath()));

        assertThat(new JobFiles(configuration, failing, PATIENCE).secret().text())
                .isEqualTo(secret.text());
        assertThat(FailingTwice.FAILURES).hasValueGreaterThan(2);
    }

    @Test
    public void anAttemptDoesNotWaitForAFileThatIsNotThere() throws IOException {
        assertThatThrownBy(new JobFiles(configuration, directory, Duration.ofDays(1))::spec)
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    public void keepsTheCheckpointsOfAJobThatDidNotFinish() throws IOException {
        JobFiles files = new JobFiles(configuration, directory, PATIENCE);
        try (Draft draft = files.checkpoints().create("step-100")) {
            draft.commit();
        }
        fileSystem.create(directory.secret()).close();
        fileSystem.create(directory.job()).close();

        files.deleteTemporary(true);

        assertThat(fileSystem.exists(directory.job())).isTrue();

        assertThat(fileSystem.exists(directory.secret())).isFalse();
        assertThat(files.checkpoints().names()).containsExactly("step-100");
    }

    @Test
    public void copiesCheckpointsAndJournalsOfTheJobThatItResumes() throws IOException {
        JobDirectory earlier = new JobDirectory(new Path(directory.root(), "application_1_0001"));
        JobFiles before = new JobFiles(configuration, earlier, PATIENCE);
        for (String name : List.of("checkpoint-10", "checkpoint-20", "model.bin")) {
            try (Draft draft = before.checkpoints().create(name)) {
                draft.out().write(name.charAt(11 % name.length()));
                draft.commit();
            }
        }
        write(before.journal(1), "first\n");
        write(before.journal(2), "second\n");
        JobDirectory own = new JobDirectory(new Path(directory.root(), "application_1_0002"));
        JobFiles files = new JobFiles(configuration, own, PATIENCE);

        assertThat(files.checkpoints(Optional.of("application_1_0001")).names())
                .containsExactly("checkpoint-10", "checkpoint-20");
        assertThat(Path.getPathWithoutSchemeAndAuthority(files.journal(0)))
                .satisfies(path -> assertThat(new File(path.toString())).hasContent("first\nsecond\n"));
        assertThat(before.checkpoints().names()).hasSize(3);

        // A further attempt goes on from the job's own checkpoints.
        files.checkpoints().delete("checkpoint-20");
        assertThat(files.checkpoints(Optional.of("application_1_0001")).names()).containsExactly("checkpoint-10");
    }

    /** A local file system of which the second file that is read fails once. */
    public static final class FailingAtTheSecond extends RawLocalFileSystem {
        private static final AtomicInteger OPENED = new AtomicInteger();

        @Override
        public URI getUri() {
            return URI.create("failing-at-the-second:///");
        }

        @Override
        public FileStatus[] listStatus(Path path) throws IOException {
            return super.listStatus(new Path(path.toUri().getPath()));
        }

        @Override
        public boolean exists(Path path) {
            return false;
        }

        @Override
        public FSDataInputStream open(Path path, int size) throws IOException {
            if (OPENED.incrementAndGet() == 2) {
                throw new IOException("no DataNode answers");
            }
            return super.open(new Path(path.toUri().getPath()), size);
        }
    }

    @Test
    public void resumesAllCheckpointsThoughTheStoreFailsMeanwhile() throws IOException {
        JobDirectory earlier = new JobDirectory(new Path(directory.root(), "application_1_0001"));
        for (String name : List.of("checkpoint-10", "checkpoint-20")) {
            try (Draft draft =
                    new JobFiles(configuration, earlier, PATIENCE).checkpoints().create(name)) {
                draft.commit();
            }
        }
        configuration.set("fs.failing-at-the-second.impl", FailingAtTheSecond.class.getName());
        JobFiles files = new JobFiles(
                configuration, new JobDirectory(new Path(directory.root(), "application_1_0002")), PATIENCE);
        String failing = "failing-at-the-second://" + earlier.root().toUri().getPath();

        assertThat(files.checkpoints(Optional.of(failing)).names()).containsExactly("checkpoint-10", "checkpoint-20");
        assertThat(FailingAtTheSecond.OPENED).hasValue(3);
    }

    @Test
    public void cannotResumeWithoutACheckpoint() throws IOException {
        JobFiles files = new JobFiles(
                configuration, new JobDirectory(new Path(directory.root(), "application_1_0002")), PATIENCE);
        String empty = new File(folder.newFolder("old", "checkpoints").getParent())
                .toURI()
                .toString();

        assertThatThrownBy(() -> files.checkpoints(Optional.of(empty)))
                .hasMessageContaining("has no checkpoint any more in " + empty);
    }

    private void write(Path file, String text) throws IOException {
        try (var out = fileSystem.create(file)) {
            out.writeBytes(text);
        }
    }

    @Test
    public void deliversOutsideTheJobsDirectory() throws IOException {
        JobDirectory job = new JobDirectory(new Path(directory.root(), "job"));
        JobFiles files = new JobFiles(configuration, job, PATIENCE);
        try (Draft draft = files.checkpoints().create("model-100")) {
            draft.out().write(7);
            draft.commit();
        }
        for (String name : List.of("model.pt", "plots/loss.png")) {
            try (Draft draft = files.checkpoints().createOutput(name)) {
                draft.out().write(name.length());
                draft.commit();
            }
        }
        Draft unfinished = files.checkpoints().createOutput("half");
        unfinished.out().close();
        fileSystem.create(job.journal()).close();
        fileSystem.create(new Path(job.work(), "kept")).close();
        File output = folder.newFolder("output");

        files.deliver(output.toURI().toString(), "model-100", "name: a\n", new byte[] {'1'});
        files.deliver(output.toURI().toString(), "model-100", "name: a\n", new byte[] {'{', '}'});
        files.deleteTemporary(false);

        assertThat(new File(output, "model-100")).hasBinaryContent(new byte[] {7});
        assertThat(new File(output, "model.pt")).hasBinaryContent(new byte[] {8});
        assertThat(new File(output, "plots/loss.png")).hasBinaryContent(new byte[] {14});
        assertThat(new File(output, "_writing.half")).doesNotExist();
        assertThat(new File(output, "job.yaml")).hasContent("name: a\n");
        assertThat(new File(output, ResultFile.NAME)).hasContent("{}");
        assertThat(fileSystem.listStatus(job.root())).hasSize(2);
        assertThat(fileSystem.exists(new Path(job.work(), "kept"))).isTrue();
        assertThat(fileSystem.exists(job.journal())).isTrue();
    }

    /** As where the disk is full, or this process is killed, in the middle of the copy. */
    @Test
    public void theModelOfAnEarlierJobStaysWhereThatOfThisOneCannotBeCopied() throws IOException {
        JobDirectory job = new JobDirectory(new Path(directory.root(), "job"));
        JobFiles files = new JobFiles(configuration, job, PATIENCE);
        write(new Path(job.checkpoints(), "model.bin"), "this one");
        Files.writeString(new File(new Path(job.checkpoints(), "model.bin").toUri()).toPath(), "damaged!");
        File output = folder.newFolder("output");
        Files.writeString(output.toPath().resolve("model.bin"), "earlier");
        Files.writeString(output.toPath().resolve(ResultFile.NAME), "{}");

        assertThatThrownBy(() -> files.deliver(output.toURI().toString(), "model.bin", "", new byte[0]))
                .isInstanceOf(IOException.class);

        assertThat(new File(output, "model.bin")).hasContent("earlier");
        assertThat(output.list()).noneMatch(name -> name.startsWith("_writing"));
        assertThat(new File(output, ResultFile.NAME)).as("it is not this job's").doesNotExist();
    }
}
