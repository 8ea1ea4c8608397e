package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.AnswerCommand;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.Columns;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import picocli.CommandLine.Command;

/** Lists the jobs that have ended, with what was predicted of them. */
@Command(
        name = "history",
        description =
                "List the training jobs that ended last, the newest first, with the time to the end that was"
                        + " predicted at half of their lives, and the one that came. The scheduler forgets them when it restarts.",
        footer = {"  yarn jar optimus-am.jar history", "  yarn jar optimus-am.jar history --output json"})
public final class HistoryCommand extends AnswerCommand {
    private static final String ROW = "%-32s %-20s %-12s %-10s %-24s %10s %9s %11s %9s%n";

    public HistoryCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected JsonNode ask(SchedulerClient scheduler) throws IOException {
        return scheduler.readAll("/history?limit=1000");
    }

    @Override
    protected void print(JsonNode answer) {
        out.printf(ROW, "id", "name", "user", "outcome", "ended", "steps", "loss", "predicted s", "came s");
        for (JsonNode job : answer.path("jobs")) {
            JsonNode half = half(job.path("predictions"));
            out.printf(
                    ROW,
                    job.path("id").asText(),
                    job.path("name").asText(),
                    job.path("user").asText(),
                    job.path("outcome").asText(),
                    Instant.ofEpochMilli(job.path("endedMillis").asLong()),
                    job.path("step").asText(),
                    Columns.number("%.4f", job.path("loss")),
                    Columns.number("%.0f", half.path("predictedRemainingSeconds")),
                    Columns.number("%.0f", half.path("actualRemainingSeconds")));
        }
    }

    private static JsonNode half(JsonNode predictions) {
        for (JsonNode prediction : predictions) {
            if (prediction.path("fraction").asDouble() == 0.5) {
                return prediction;
            }
        }
        return predictions.path("none");
    }
}
