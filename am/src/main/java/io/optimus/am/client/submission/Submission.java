package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterClient.NewApplication;
import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;

/** Submits a job. If that fails, it removes everything that it made, and kills the application. */
public final class Submission {
    private final Configuration configuration;
    private final ClusterClient cluster;
    private final Path jar;

    /** Submits to {@code cluster}, with {@code jar} for every process of the job. */
    public Submission(Configuration configuration, ClusterClient cluster, Path jar) {
        this.configuration = configuration;
        this.cluster = cluster;
        this.jar = jar;
    }

    /** The jar to send with jobs. */
    public static Path jar(Configuration configuration) throws IOException {
        Optional<String> given = ClientKeys.JAR.in(configuration);
        if (given.isPresent()) {
            return Path.of(given.get()).toAbsolutePath();
        }
        String own = ClassUtil.findContainingJar(Submission.class);
        if (own == null) {
            throw new IOException("This command does not run from a jar, so it has no jar to send: name"
                    + " optimus-am.jar with -D " + ClientKeys.JAR.key() + "=…");
        }
        return Path.of(own);
    }

    /** Returns when YARN has accepted the job. */
    public void submit(NewApplication application, JobFile job, NativesSource natives) throws IOException {
        Staging staging = Staging.of(configuration);
        String id = application.id().toString();
        try {
            JobDirectory directory = staging.create(id, job, jar);
            ApplicationSubmissionContext context = new SubmissionContext(configuration, staging.fileSystem())
                    .of(application.id(), job.spec(), directory, natives.environment(staging));
            submit(context);
            staging.keep(directory);
        } catch (IOException | RuntimeException failed) {
            undo(failed, () -> staging.remove(staging.directory(id)));
            throw failed;
        }
    }

    /** Submits; kills the application if the call fails after YARN has accepted it. */
    private void submit(ApplicationSubmissionContext context) throws IOException {
        String id = context.getApplicationId().toString();
        try {
            cluster.submit(context);
        } catch (IOException | RuntimeException failed) {
            undo(failed, () -> {
                if (cluster.find(id).filter(known -> !known.status().ended()).isPresent()) {
                    cluster.kill(id);
                }
            });
            throw failed;
        }
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
