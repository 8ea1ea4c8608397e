package io.optimus.am.client.order;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.JobCommand;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Changes the priority of one job, as {@code yarn application -updatePriority} does. */
@Command(
        name = "priority",
        description = "Change the priority of a training job in its queue. YARN decides who may do this.",
        footer = "  yarn jar optimus-am.jar priority application_1700000000000_0001 5")
public final class PriorityCommand extends JobCommand {
    @Parameters(index = "1", paramLabel = "N", description = "Its new priority; jobs with a higher one come first.")
    private int priority;

    public PriorityCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) throws IOException {
        if (priority < 0) {
            throw wrong("The priority " + priority + " is negative: give 0 or more");
        }
        if (job.status().ended()) {
            throw new IOException(
                    job.id() + " has ended already: " + job.status().outcome());
        }
        int admitted = cluster.setPriority(job.id(), priority);
        out.println(job.id() + " has priority " + admitted
                + (admitted == priority
                        ? ""
                        : ": YARN admits no more than its yarn.cluster.max-application-priority, " + admitted));
    }
}
