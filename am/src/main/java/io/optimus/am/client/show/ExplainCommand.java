package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.JobCommand;
import io.optimus.am.client.command.OutputOption;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says why a job has what it has. */
@Command(
        name = "explain",
        description =
                "Say why a training job waits or has the tasks that it has, and what would change that, and when.",
        footer = "  yarn jar optimus-am.jar explain application_1700000000000_0001")
public final class ExplainCommand extends JobCommand {
    @Mixin
    private final OutputOption output = new OutputOption();

    public ExplainCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) throws IOException {
        if (job.status().ended()) {
            throw new IOException(job.id() + " has ended: " + job.status().outcome()
                    + ". The command status shows how, and history what was predicted of it");
        }
        JsonNode answer = environment.scheduler(configuration).read("/jobs/" + job.id() + "/explain");
        if (output.isForPrograms()) {
            output.print(out, answer);
            return;
        }
        out.println(job.id() + " (" + job.name() + "), queue "
                + answer.path("queue").asText() + ", policy "
                + answer.path("policy").asText()
                + (answer.path("schedulerMode").asText().equals("advise")
                        ? ", mode advise: the plan is only advice"
                        : ""));
        answer.path("text").forEach(line -> out.println(line.asText()));
    }
}
