package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterClient.Slot;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;

/** Submits a job; where that fails half way, nothing remains. */
public final class Submission {
    private final Configuration configuration;
    private final ClusterClient cluster;
    private final Path jar;

    public Submission(Configuration configuration, ClusterClient cluster, Path jar) {
        this.configuration = configuration;
        this.cluster = cluster;
        this.jar = jar;
    }

    /** Returns when YARN has taken the job. */
    public void submit(Slot slot, JobSpec spec, NativesSource natives) throws IOException {
        Staging staging = Staging.of(configuration);
        String id = slot.id().toString();
        try {
            JobDirectory directory = staging.create(id, spec, jar);
            ApplicationSubmissionContext context = new SubmissionContext(configuration, staging.fileSystem())
                    .of(slot.id(), spec, directory, variables(staging, natives));
            hand(context);
            staging.keep(directory);
        } catch (IOException | RuntimeException failed) {
            undo(failed, () -> staging.remove(staging.directory(id)));
            throw failed;
        }
    }

    /** A submission may fail after YARN has heard of it. */
    private void hand(ApplicationSubmissionContext context) throws IOException {
        String id = context.getApplicationId().toString();
        try {
            cluster.submit(context);
        } catch (IOException | RuntimeException failed) {
            undo(failed, () -> {
                if (cluster.find(id).filter(application -> !application.ended()).isPresent()) {
                    cluster.kill(id);
                }
            });
            throw failed;
        }
    }

    private static Map<String, String> variables(Staging staging, NativesSource natives) throws IOException {
        if (natives instanceof NativesSource.Jar archive) {
            String cached = staging.cached(archive.path()).toUri().toString();
            return Map.of(JobDirectory.NATIVES_ARCHIVE_VARIABLE, cached);
        }
        return natives instanceof NativesSource.Folder folder
                ? Map.of(JobDirectory.NATIVES_FOLDER_VARIABLE, folder.path().toString())
                : Map.of();
    }

    private interface Undoing {
        void run() throws IOException;
    }

    private static void undo(Exception failed, Undoing undoing) {
        try {
            undoing.run();
        } catch (IOException | RuntimeException further) {
            failed.addSuppressed(further);
        }
    }
}
