package io.optimus.am.master;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.master.journal.FileJournal;
import io.optimus.am.master.journal.JournalReader;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.wire.JobSecret;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a job: what the client staged, what stays when the job has ended, and what goes. */
final class JobFiles {
    private static final Logger LOG = LoggerFactory.getLogger(JobFiles.class);
    /** A job's own files are small; more is somebody's mistake. */
    private static final long LARGEST = 1 << 20;

    private final Configuration configuration;
    private final JobDirectory directory;
    private final FileSystem fileSystem;

    JobFiles(Configuration configuration, JobDirectory directory) throws IOException {
        this.configuration = configuration;
        this.directory = directory;
        this.fileSystem = directory.root().getFileSystem(configuration);
    }

    JobSpec spec() throws IOException {
        return JobSpecJson.read(read(directory.job()));
    }

    JobSecret secret() throws IOException {
        return JobSecret.parse(new String(read(directory.secret()), StandardCharsets.UTF_8));
    }

    HadoopCheckpointStore checkpoints() throws IOException {
        return new HadoopCheckpointStore(fileSystem, directory.checkpoints());
    }

    Path journal(int attempt) {
        return FileJournal.ofAttempt(directory.journal(), attempt);
    }

    /** What earlier attempts have lived through, for one that goes on with {@code nextStep}. */
    TrainingHistory storyBefore(TrainingMode mode, int attempt, long nextStep) {
        return JournalReader.story(fileSystem, directory.journal(), mode, attempt, nextStep);
    }

    FileSystem fileSystem() {
        return fileSystem;
    }

    /**
     * Puts the saved model and the result where the job's owner wants them.
     *
     * @param output folder, relative to the user's home unless it is absolute
     * @param model name in the checkpoint store; empty where there is none
     */
    void deliver(String output, String model, byte[] result) throws IOException {
        Path named = new Path(output);
        FileSystem target = named.getFileSystem(configuration);
        Path folder = named.isAbsolute() ? named : new Path(target.getHomeDirectory(), named);
        target.mkdirs(folder);
        if (!model.isEmpty()) {
            Path saved = new Path(directory.checkpoints(), model);
            FileUtil.copy(fileSystem, saved, target, new Path(folder, model), false, true, configuration);
        }
        Path hidden = new Path(folder, "_writing." + ResultFile.NAME);
        try (OutputStream out = target.create(hidden, true)) {
            out.write(result);
        }
        Path whole = new Path(folder, ResultFile.NAME);
        target.delete(whole, false);
        if (!target.rename(hidden, whole)) {
            throw new IOException("Cannot rename " + hidden + " to " + whole);
        }
        LOG.info("result={}", whole);
    }

    /**
     * Deletes what only a running job needs; its journal stays.
     *
     * @param keepCheckpoints whether its checkpoints stay too, for a job that did not reach its end
     */
    void deleteTemporary(boolean keepCheckpoints) throws IOException {
        String journal = directory.journal().getName();
        String journals = journal.substring(0, journal.lastIndexOf('.'));
        for (FileStatus file : fileSystem.listStatus(directory.root())) {
            String name = file.getPath().getName();
            boolean checkpoints = name.equals(directory.checkpoints().getName());
            if (!name.startsWith(journals) && !(keepCheckpoints && checkpoints)) {
                fileSystem.delete(file.getPath(), true);
            }
        }
    }

    private byte[] read(Path file) throws IOException {
        FileStatus status = fileSystem.getFileStatus(file);
        if (status.getLen() > LARGEST) {
            throw new IOException(
                    file + " has " + status.getLen() + " bytes, more than " + LARGEST + ": it is no file of a job");
        }
        byte[] content = new byte[(int) status.getLen()];
        try (var in = fileSystem.open(file)) {
            IOUtils.readFully(in, content, 0, content.length);
        }
        return content;
    }
}
