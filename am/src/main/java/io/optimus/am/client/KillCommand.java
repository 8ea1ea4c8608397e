package io.optimus.am.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends one job. */
@Command(
        name = "kill",
        description = "End a training job at once. Its journal and its last checkpoint stay in its folder.")
final class KillCommand extends ClusterCommand {
    @Parameters(paramLabel = "ID", converter = ApplicationParameter.class, description = "Its application id.")
    private ApplicationId id = ApplicationId.newInstance(0, 0);

    KillCommand(Surroundings surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException {
        try (Cluster cluster = surroundings.cluster(configuration)) {
            Optional<Application> found = cluster.find(id.toString());
            if (found.isEmpty()) {
                err.println("YARN knows no " + id + ": see the command list");
                return FAILED;
            }
            if (found.get().ended()) {
                out.println(id + " has ended already: " + found.get().outcome());
                return 0;
            }
            cluster.kill(id.toString());
            Staging staging = Staging.of(configuration);
            staging.removeTemporary(staging.directory(id.toString()));
            out.println("Killed " + id);
            return 0;
        }
    }
}
