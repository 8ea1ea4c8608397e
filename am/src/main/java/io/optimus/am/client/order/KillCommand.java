package io.optimus.am.client.order;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.JobCommand;
import io.optimus.am.client.submission.Staging;
import io.optimus.am.job.JobDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;

/** Ends one job. */
@Command(
        name = "kill",
        description = "End a training job at once. Its journal and its last checkpoint stay in its folder.",
        footer = "  yarn jar optimus-am.jar kill application_1700000000000_0001")
public final class KillCommand extends JobCommand {
    public KillCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) throws IOException {
        if (job.status().ended()) {
            out.println(job.id() + " has ended already: " + job.status().outcome());
            return;
        }
        cluster.kill(job.id());
        out.println("Killed " + job.id());
        Staging staging = Staging.of(configuration, job.user());
        JobDirectory directory = staging.directory(job.id());
        try {
            staging.removeTemporary(directory);
        } catch (IOException kept) {
            err.println("Its jar and its secret, which are not needed any more, are still in " + directory.root() + "; "
                    + job.user() + " can remove them: " + sentence(kept));
        }
    }
}
