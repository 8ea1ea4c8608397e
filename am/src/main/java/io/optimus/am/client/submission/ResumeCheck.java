package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.job.ClusterDemand;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.yaml.FileProblem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Looks for the earlier job whose training goes on, and compares it with the job that is submitted. */
public final class ResumeCheck {
    private static final String KEY = "start.resume";

    private ResumeCheck() {}

    /** Every reason why the job cannot go on from the checkpoint of the earlier one; none if it starts anew. */
    public static List<FileProblem> problems(ClusterDemand demand, Configuration configuration, ClusterClient cluster) {
        if (demand.resumes().isEmpty()) {
            return List.of();
        }
        String job = demand.resumes().get();
        try {
            if (JobDirectory.isApplicationId(job)
                    && cluster.find(job)
                            .filter(known -> !known.status().ended())
                            .isPresent()) {
                return List.of(demand.problem(KEY, job + " is still running: end it first, with the command kill"));
            }
            JobDirectory earlier = Staging.of(configuration).earlier(job);
            FileSystem fileSystem = earlier.root().getFileSystem(configuration);
            if (!hasCheckpoint(fileSystem, earlier.checkpoints())) {
                return List.of(demand.problem(
                        KEY,
                        "there is no checkpoint in " + earlier.checkpoints()
                                + ": check the id; a job that has finished its training keeps none, so start from its"
                                + " model.bin with start.model"));
            }
            return differences(demand, fileSystem, earlier);
        } catch (IOException | IllegalArgumentException wrong) {
            return List.of(demand.problem(
                    KEY, job + " cannot be looked up: " + wrong.getMessage() + ": check the id or the folder"));
        }
    }

    private static boolean hasCheckpoint(FileSystem fileSystem, Path folder) throws IOException {
        try {
            for (FileStatus file : fileSystem.listStatus(folder)) {
                if (JobDirectory.isCheckpoint(file.getPath().getName())) {
                    return true;
                }
            }
            return false;
        } catch (FileNotFoundException absent) {
            return false;
        }
    }

    private static List<FileProblem> differences(ClusterDemand demand, FileSystem fileSystem, JobDirectory earlier)
            throws IOException {
        try (var in = fileSystem.open(earlier.job())) {
            return demand.differencesFrom(JobSpecJson.read(in.readAllBytes()));
        } catch (FileNotFoundException absent) {
            // Somebody keeps checkpoints only; the coordinator still compares the number of parameters.
            return List.of();
        }
    }
}
