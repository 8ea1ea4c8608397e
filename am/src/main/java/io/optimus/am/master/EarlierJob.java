package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.master.journal.FileJournal;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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
    /** The checkpoints that were copied, before a copy that has failed and is made again. */
    private final Set<String> copied = new HashSet<>();

    /** The job whose directory is {@code directory}. */
    EarlierJob(Configuration configuration, JobDirectory directory) throws IOException {
        this.directory = directory;
        this.fileSystem = directory.root().getFileSystem(configuration);
    }

    /**
     * Copies checkpoints and journals, unless a former attempt of this job has done so. Goes on where an earlier call failed.
     *
     * @param into the checkpoints of this job
     * @param target the file system of {@code own}
     * @param own the directory of this job
     * @throws IOException if there is no checkpoint, or one cannot be copied
     */
    void copyTo(CheckpointStore into, FileSystem target, JobDirectory own) throws IOException {
        if (copied.isEmpty() && into.names().stream().anyMatch(JobDirectory::isCheckpoint)) {
            return;
        }
        SortedSet<String> names = new TreeSet<>(Collections.reverseOrder());
        for (FileStatus file : fileSystem.listStatus(directory.checkpoints())) {
            names.add(file.getPath().getName());
        }
        names.removeIf(name -> !JobDirectory.isCheckpoint(name));
        names.removeAll(copied);
        if (names.isEmpty() && copied.isEmpty()) {
            throw new FileNotFoundException(
                    "The job to resume has no checkpoint any more in " + directory.checkpoints());
        }
        copyJournals(target, FileJournal.ofAttempt(own.journal(), 0));
        // The newest comes first: an attempt that is ended here leaves at least that one to the next attempt.
        for (String name : names) {
            try (InputStream from = FileErrors.asExceptions(fileSystem.open(new Path(directory.checkpoints(), name)));
                    Draft draft = into.create(name)) {
                from.transferTo(draft.out());
                draft.commit();
            }
            copied.add(name);
            LOG.info("resumes={} checkpoint={}", directory.root(), name);
        }
    }

    /** The journals are history for the scheduler and the page; training goes on without them. */
    private void copyJournals(FileSystem target, Path whole) {
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
