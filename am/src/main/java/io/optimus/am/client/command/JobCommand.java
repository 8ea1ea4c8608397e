package io.optimus.am.client.command;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.Parameters;

/** A command for one job that YARN knows. */
public abstract class JobCommand extends ClusterCommand {
    @Parameters(
            index = "0",
            paramLabel = "ID",
            converter = IdConverter.class,
            description = "The application id of the job.")
    private ApplicationId id = ApplicationId.newInstance(0, 0);

    protected JobCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected final int run(Configuration configuration) throws IOException, InterruptedException {
        try (ClusterClient cluster = environment.cluster(configuration)) {
            Optional<ApplicationSummary> found = cluster.find(id.toString());
            if (found.isEmpty()) {
                err.println("YARN does not know " + id + ": the command list --all shows the jobs that it knows");
                return FAILED;
            }
            if (!found.get().isTraining()) {
                err.println(id + " is no training job, but an application of type "
                        + found.get().type() + ": the command list --all shows the training jobs");
                return FAILED;
            }
            run(configuration, cluster, found.get());
            return 0;
        }
    }

    /** Runs the command for {@code job}. */
    protected abstract void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job)
            throws IOException, InterruptedException;
}
