package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.AnswerCommand;
import io.optimus.am.client.command.ClientEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.StringJoiner;
import picocli.CommandLine.Command;

/** Lists the last rounds. */
@Command(
        name = "rounds",
        description = "List the last rounds of the scheduler, the newest first.",
        footer = "  yarn jar optimus-am.jar rounds")
public final class RoundsCommand extends AnswerCommand {
    private static final String ROW = "%8s %-24s %9s %6s %15s  %-24s %s%n";

    public RoundsCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected JsonNode ask(SchedulerClient scheduler) throws IOException {
        return scheduler.read("/rounds");
    }

    @Override
    protected void print(JsonNode answer) {
        out.printf(ROW, "round", "began", "ms", "jobs", "plan", "early because of", "outcome");
        for (JsonNode round : answer.path("rounds")) {
            StringJoiner early = new StringJoiner(",");
            round.path("early").forEach(trigger -> early.add(trigger.asText()));
            out.printf(
                    ROW,
                    round.path("number").asText(),
                    Instant.ofEpochMilli(round.path("time").asLong()),
                    round.path("durationMillis").asText(),
                    round.path("jobs").asText(),
                    round.path("plan").asText(),
                    early.length() == 0 ? "-" : early.toString(),
                    round.path("outcome").asText());
        }
    }
}
