package io.optimus.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says why a job has what it has. */
@Command(
        name = "explain",
        description =
                "Say why a training job waits or has the tasks that it has, and what would change that, and when.")
final class ExplainCommand extends JobCommand {
    @Mixin
    private final OutputOption output = new OutputOption();

    ExplainCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) throws IOException {
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
                + answer.path("policy").asText());
        answer.path("text").forEach(line -> out.println(line.asText()));
    }
}
