package io.optimus.tests;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.rules.ExternalResource;

/** The jobs that a test submits, which are killed when it has ended. */
final class SubmittedJobs extends ExternalResource {
    private final Cluster cluster;
    private final List<SubmittedJob> jobs = new ArrayList<>();

    /** Jobs for {@code cluster}. */
    SubmittedJobs(Cluster cluster) {
        this.cluster = cluster;
    }

    /** As {@link SubmittedJob#submit(Cluster, String, String)}. */
    SubmittedJob submit(String name, String yaml) throws Exception {
        return add(SubmittedJob.submit(cluster, name, yaml));
    }

    /** As {@link SubmittedJob#submit(Cluster, Path, List)}. */
    SubmittedJob submit(Path file, List<String> overrides) throws Exception {
        return add(SubmittedJob.submit(cluster, file, overrides));
    }

    private SubmittedJob add(SubmittedJob job) {
        jobs.add(job);
        return job;
    }

    @Override
    protected void after() {
        try {
            for (SubmittedJob job : jobs) {
                job.kill();
            }
        } catch (Exception e) {
            throw new AssertionError("A job cannot be killed", e);
        }
    }
}
