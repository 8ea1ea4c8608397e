package io.optimus.am.master;

import io.optimus.am.checkpoint.StoreOutage;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.master.journal.FileJournal;
import io.optimus.am.master.journal.JournalReader;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a job: those that the client staged, the journals and checkpoints, and the result. */
final class JobFiles {
    private static final Logger LOG = LoggerFactory.getLogger(JobFiles.class);
    /** The client's files are small: a larger one is no file of a job. */
    private static final long LARGEST = 1 << 20;

    /** YARN gives up an ApplicationMaster that does not register within ten minutes. Checkpoints and journals need time, too. */
    private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(3);

    /** The job file in the output folder. */
    private static final String JOB_FILE = "job.yaml";

    private final Configuration configuration;
    private final JobDirectory directory;
    private final FileSystem fileSystem;
    private final StoreOutage outage;

    /**
     * The files of the job in {@code directory}.
     *
     * @param patience how long the store may fail at a stretch while an attempt begins; three minutes at most
     */
    JobFiles(Configuration configuration, JobDirectory directory, Duration patience) throws IOException {
        this.configuration = configuration;
        this.directory = directory;
        this.fileSystem = directory.root().getFileSystem(configuration);
        this.outage = new StoreOutage(patience.compareTo(LONGEST_PATIENCE) < 0 ? patience : LONGEST_PATIENCE);
    }

    JobSpec spec() throws IOException {
        return JobSpecJson.read(patiently(() -> read(directory.job())));
    }

    JobSecret secret() throws IOException {
        return JobSecret.parse(new String(patiently(() -> read(directory.secret())), StandardCharsets.UTF_8));
    }

    HadoopCheckpointStore checkpoints() throws IOException {
        return patiently(() -> new HadoopCheckpointStore(fileSystem, directory.checkpoints()));
    }

    /** An attempt may begin while the store fails, and may be the last one. */
    private <T> T patiently(StoreOutage.Use<T> use) throws IOException {
        try {
            return outage.call(
                    () -> {
                        try {
                            return use.run();
                        } catch (FileNotFoundException | AccessControlException | InvalidToken e) {
                            // It is no better later.
                            throw new UncheckedIOException(e);
                        }
                    },
                    failure -> LOG.warn("The job's directory: {}", failure));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The checkpoints of a job; at first those of the job that it resumes.
     *
     * @param resumed application id or directory of that job
     */
    HadoopCheckpointStore checkpoints(Optional<String> resumed) throws IOException {
        HadoopCheckpointStore store = checkpoints();
        if (resumed.isPresent()) {
            EarlierJob earlier = new EarlierJob(
                    configuration, JobDirectory.named(directory.root().getParent(), resumed.get()));
            resume(earlier, store);
        }
        return store;
    }

    /** Copies what an earlier job has left, unless a former attempt of this job has begun to. */
    private void resume(EarlierJob earlier, HadoopCheckpointStore store) throws IOException {
        if (patiently(store::names).stream().anyMatch(JobDirectory::isCheckpoint)) {
            return;
        }
        List<String> checkpoints = patiently(earlier::checkpoints);
        earlier.copyJournals(fileSystem, FileJournal.ofAttempt(directory.journal(), 0));
        for (String name : checkpoints) {
            patiently(() -> {
                earlier.copy(name, store);
                return name;
            });
        }
    }

    Path journal(int attempt) {
        return FileJournal.ofAttempt(directory.journal(), attempt);
    }

    /** The training history of earlier attempts, for one that goes on with {@code nextStep}. */
    TrainingHistory historyBefore(TrainingMode mode, int attempt, long nextStep) {
        return JournalReader.historyBefore(fileSystem, directory.journal(), mode, attempt, nextStep);
    }

    /** The tasks of earlier attempts by container, as {@link JournalReader#tasksBefore} has them. */
    Map<String, ServerAddress> tasksBefore(int attempt) {
        return JournalReader.tasksBefore(fileSystem, directory.journal(), attempt);
    }

    /** The result of an earlier attempt, as {@link JournalReader#resultBefore} has it. */
    Optional<TrainingResult> resultBefore(int attempt) {
        return JournalReader.resultBefore(fileSystem, directory.journal(), attempt);
    }

    /** The memory of tasks in earlier attempts, as {@link JournalReader#memoryBefore} has it. */
    Map<Role, Long> memoryBefore(int attempt) {
        return JournalReader.memoryBefore(fileSystem, directory.journal(), attempt);
    }

    FileSystem fileSystem() {
        return fileSystem;
    }

    /**
     * Copies the saved model and the program's files to the output folder that the job's owner chose, and writes the job file
     * and the result there.
     *
     * @param output the folder, relative to the user's home unless it is absolute
     * @param model the model's name in the checkpoint store; empty if there is none
     * @param jobFile the job file with every default
     */
    void deliver(String output, String model, String jobFile, byte[] result) throws IOException {
        Path folder = folder(output);
        FileSystem target = folder.getFileSystem(configuration);
        target.mkdirs(folder);
        // The result of an earlier job says nothing of the model that is copied now.
        target.delete(new Path(folder, ResultFile.NAME), false);
        if (!model.isEmpty()) {
            Path saved = new Path(directory.checkpoints(), model);
            copy(saved, target, new Path(folder, model));
            copyOutput(target, folder);
        }
        write(target, new Path(folder, JOB_FILE), jobFile.getBytes(StandardCharsets.UTF_8));
        write(target, new Path(folder, ResultFile.NAME), result);
        LOG.info("result={}", new Path(folder, ResultFile.NAME));
    }

    /** The whole address of {@code output}; a relative path begins in the home directory. */
    Path folder(String output) throws IOException {
        Path named = new Path(output);
        FileSystem target = named.getFileSystem(configuration);
        return target.makeQualified(named.isAbsolute() ? named : new Path(target.getHomeDirectory(), named));
    }

    /** Whoever sees the copy under its name sees all of it, and one of an earlier job stays until then. */
    private void copy(Path file, FileSystem target, Path copy) throws IOException {
        Path hidden = hidden(copy);
        try {
            FileErrors.asExceptions(() -> FileUtil.copy(fileSystem, file, target, hidden, false, true, configuration));
        } catch (IOException e) {
            target.delete(hidden, false);
            throw e;
        }
        rename(target, hidden, copy);
    }

    /** Whoever sees the file under its name sees all of it. */
    private static void write(FileSystem target, Path whole, byte[] content) throws IOException {
        Path hidden = hidden(whole);
        try (OutputStream out = FileErrors.asExceptions(target.create(hidden, true))) {
            out.write(content);
        }
        rename(target, hidden, whole);
    }

    private static Path hidden(Path whole) {
        return new Path(whole.getParent(), "_writing." + whole.getName());
    }

    private static void rename(FileSystem target, Path hidden, Path whole) throws IOException {
        target.delete(whole, false);
        if (!target.rename(hidden, whole)) {
            throw new IOException("Cannot rename " + hidden + " to " + whole);
        }
    }

    private void copyOutput(FileSystem target, Path folder) throws IOException {
        Path kept = fileSystem.makeQualified(new Path(directory.checkpoints(), HadoopCheckpointStore.OUTPUT));
        if (!fileSystem.exists(kept)) {
            return;
        }
        RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(kept, true);
        while (files.hasNext()) {
            Path file = files.next().getPath();
            if (!file.getName().startsWith(HadoopCheckpointStore.HIDDEN)) {
                Path copy =
                        new Path(folder, kept.toUri().relativize(file.toUri()).getPath());
                target.mkdirs(copy.getParent());
                copy(file, target, copy);
            }
        }
    }

    /**
     * Deletes the files that only a running job needs; its journals stay, and what its program keeps.
     *
     * @param keepCheckpoints whether the checkpoints stay too, and the job file, for a job that did not finish its training
     */
    void deleteTemporary(boolean keepCheckpoints) throws IOException {
        String journal = directory.journal().getName();
        String journals = journal.substring(0, journal.lastIndexOf('.'));
        for (FileStatus file : fileSystem.listStatus(directory.root())) {
            String name = file.getPath().getName();
            boolean resumable = name.equals(directory.checkpoints().getName())
                    || name.equals(directory.job().getName());
            boolean kept =
                    name.startsWith(journals) || name.equals(directory.work().getName());
            if (!kept && !(keepCheckpoints && resumable)) {
                fileSystem.delete(file.getPath(), true);
            }
        }
    }

    private byte[] read(Path file) throws IOException {
        FileStatus status = fileSystem.getFileStatus(file);
        if (status.getLen() > LARGEST) {
            throw new IllegalStateException(file + " has " + status.getLen() + " bytes, more than " + LARGEST
                    + ": this is not a file of a job; submit the job again");
        }
        byte[] content = new byte[(int) status.getLen()];
        try (var in = fileSystem.open(file)) {
            IOUtils.readFully(in, content, 0, content.length);
        }
        return content;
    }
}
