package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.Columns;
import io.optimus.am.client.command.JobCommand;
import io.optimus.am.client.command.OutputOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
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
        Optional<JsonNode> answer = environment.scheduler(configuration).find("/jobs/" + job.id() + "/explain");
        if (output.isForPrograms()) {
            output.print(out, answer.orElseGet(() -> JobJson.json(job, Optional.empty())));
            return;
        }
        out.print(job.id() + " (" + job.name() + "), ");
        if (answer.isEmpty()) {
            printUnknown(job);
        } else if (answer.get().path("state").asText().equals("ended")) {
            printEnded(answer.get());
        } else {
            printExplanation(answer.get());
        }
    }

    private void printExplanation(JsonNode answer) {
        out.println("queue " + answer.path("queue").asText() + ", policy "
                + answer.path("policy").asText()
                + (answer.path("schedulerMode").asText().equals("advise")
                        ? ", mode advise: the plan is only advice"
                        : ""));
        answer.path("text").forEach(line -> out.println(line.asText()));
    }

    private void printEnded(JsonNode past) {
        out.println("queue " + past.path("queue").asText() + ", has ended: "
                + past.path("outcome").asText() + " at step "
                + past.path("step").asText() + ", loss "
                + Columns.number("%.4f", past.path("loss")) + ", on at most "
                + Columns.tasks(past.path("largest")) + ", resizes: "
                + past.path("resizes").asText());
        out.println("The last reason for its size: " + past.path("reason").asText());
    }

    /** The scheduler knows a job from the registration of its ApplicationMaster until a restart after its end. */
    private void printUnknown(ApplicationSummary job) {
        out.println("queue " + job.queue()
                + (job.status().ended()
                        ? ", has ended: " + job.status().outcome().name().toLowerCase(Locale.ROOT)
                                + ". The scheduler has forgotten it"
                        : ", is " + job.status().state()
                                + ". The scheduler sizes it once its ApplicationMaster has registered"));
        if (!job.status().diagnostics().isBlank()) {
            out.println("YARN says: " + job.status().diagnostics().strip());
        }
    }
}
