package io.optimus.am.client;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.Parameters;

/** What is done with one job that YARN knows. */
abstract class JobCommand extends ClusterCommand {
    @Parameters(paramLabel = "ID", converter = ApplicationParameter.class, description = "Its application id.")
    private ApplicationId id = ApplicationId.newInstance(0, 0);

    JobCommand(ClientEnvironment surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    final int run(Configuration configuration) throws IOException {
        try (ClusterClient cluster = surroundings.cluster(configuration)) {
            Optional<ApplicationSummary> found = cluster.find(id.toString());
            if (found.isEmpty()) {
                err.println("YARN knows no " + id + ": see the command list --all");
                return FAILED;
            }
            run(configuration, cluster, found.get());
            return 0;
        }
    }

    abstract void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) throws IOException;
}
