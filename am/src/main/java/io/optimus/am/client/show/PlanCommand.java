package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.AnswerCommand;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.Columns;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Shows the plan in force. */
@Command(
        name = "plan",
        description =
                "Show the plan in force: for each job the tasks that it has and those that it is to have, and why.",
        footer = {"  yarn jar optimus-am.jar plan", "  yarn jar optimus-am.jar plan --output json"})
public final class PlanCommand extends AnswerCommand {
    private static final String ROW = "%-32s %-20s %-20s %-12s %-12s %s%n";
    /** What the plan itself does not say of a job. */
    private static final List<String> OF_JOB = List.of("name", "user", "queue", "allocation");

    public PlanCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected JsonNode ask(SchedulerClient scheduler) throws IOException {
        JsonNode plan = scheduler.readAll("/plan");
        Map<String, JsonNode> jobs = new HashMap<>();
        scheduler
                .readAll("/jobs?fields=id," + String.join(",", OF_JOB))
                .path("jobs")
                .forEach(job -> jobs.put(job.path("id").asText(), job));
        for (JsonNode part : plan.path("jobs")) {
            JsonNode job = jobs.get(part.path("id").asText());
            if (job != null && part instanceof ObjectNode whole) {
                OF_JOB.forEach(field -> whole.set(field, job.path(field)));
            }
        }
        if (plan instanceof ObjectNode whole) {
            whole.remove(List.of("rounds", "next"));
        }
        return plan;
    }

    @Override
    protected void print(JsonNode plan) {
        out.println("Plan " + plan.path("number").asText()
                + (plan.path("frozen").asBoolean() ? ", kept since a restart: no round has decided yet" : "")
                + (plan.path("mode").asText().equals("advise") ? ", which is only advice: nothing is enforced" : ""));
        out.printf(ROW, "id", "name", "queue", "now", "planned", "why");
        for (JsonNode job : plan.path("jobs")) {
            out.printf(
                    ROW,
                    job.path("id").asText(),
                    job.path("name").asText("-"),
                    job.path("queue").asText("-"),
                    Columns.tasks(job.path("allocation")),
                    Columns.tasks(job.path("planned")),
                    job.path("reason").asText());
        }
    }
}
