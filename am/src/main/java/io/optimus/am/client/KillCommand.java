package io.optimus.am.client;

import io.optimus.am.job.JobDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;

/** Ends one job. */
@Command(
        name = "kill",
        description = "End a training job at once. Its journal and its last checkpoint stay in its folder.")
final class KillCommand extends JobCommand {
    KillCommand(Surroundings surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    void run(Configuration configuration, Cluster cluster, Application job) throws IOException {
        if (job.ended()) {
            out.println(job.id() + " has ended already: " + job.outcome());
            return;
        }
        cluster.kill(job.id());
        out.println("Killed " + job.id());
        Staging staging = Staging.of(configuration, job.user());
        JobDirectory directory = staging.directory(job.id());
        try {
            staging.removeTemporary(directory);
        } catch (IOException kept) {
            err.println("Its jar and secret, of no use now, are still in " + directory.root() + ", for " + job.user()
                    + " to remove: " + sentence(kept));
        }
    }
}
