package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.master.journal.FileJournal;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what an earlier job has left into the directory of the job that goes on with its training: the checkpoints, and
 * the journals as one of an attempt 0. The earlier job's directory stays as it is, so that other jobs can go on from it.
 */
final class EarlierJob {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierJob.class);
    private static final int LAST_ATTEMPT = 1_000;

    private final FileSystem fileSystem;
    private final JobDirectory directory;

    /** The job whose directory is {@code directory}. */
    EarlierJob(Configuration configuration, JobDirectory directory) throws IOException {
        this.directory = directory;
        this.fileSystem = directory.root().getFileSystem(configuration);
    }

    /**
     * Returns the names of the checkpoints, the newest first. Copied in this order, an attempt that ends early leaves the newest
     * one to the next attempt.
     *
     * @throws FileNotFoundException if there is none
     */
    List<String> checkpoints() throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus file : fileSystem.listStatus(directory.checkpoints())) {
            String name = file.getPath().getName();
            if (JobDirectory.isCheckpoint(name)) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            throw new FileNotFoundException(
                    "The job to resume has no checkpoint any more in " + directory.checkpoints());
        }
        names.sort(Collections.reverseOrder());
        return names;
    }

    /** Copies a checkpoint, in the place of one of the same name. */
    void copy(String checkpoint, CheckpointStore into) throws IOException {
        try (InputStream from =
                        FileErrors.asExceptions(fileSystem.open(new Path(directory.checkpoints(), checkpoint)));
                Draft draft = into.create(checkpoint)) {
            from.transferTo(draft.out());
            draft.commit();
        }
        LOG.info("resumes={} checkpoint={}", directory.root(), checkpoint);
    }

    /** Copies the journals into one. They are history for the scheduler and the page; training goes on without them. */
    void copyJournals(FileSystem target, Path whole) {
        try (OutputStream out = FileErrors.asExceptions(target.create(whole, true))) {
            for (int attempt = 0; attempt < LAST_ATTEMPT; attempt++) {
                Path journal = FileJournal.ofAttempt(directory.journal(), attempt);
                if (fileSystem.exists(journal)) {
                    try (InputStream in = FileErrors.asExceptions(fileSystem.open(journal))) {
                        in.transferTo(out);
                    }
                } else if (attempt > 0) {
                    return;
                }
            }
        } catch (IOException e) {
            LOG.warn("The journals of {} cannot be copied: {}", directory.root(), e.toString());
        }
    }
}
