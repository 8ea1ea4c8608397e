package io.optimus.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the jobs that have ended, with what was predicted of them. */
@Command(
        name = "history",
        description =
                "List the training jobs that ended last, the newest first, with the time to the end that was"
                        + " predicted at half of their lives, and the one that came. The scheduler forgets them when it restarts.")
final class HistoryCommand extends ClusterCommand {
    private static final String ROW = "%-32s %-20s %-12s %-10s %-24s %10s %9s %11s %9s%n";

    @Mixin
    private final OutputOption output = new OutputOption();

    HistoryCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException {
        JsonNode answer = environment.scheduler(configuration).read("/history?limit=1000");
        if (output.isForPrograms()) {
            output.print(out, answer);
            return 0;
        }
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
                    number("%.4f", job.path("loss")),
                    number("%.0f", half.path("predictedRemainingSeconds")),
                    number("%.0f", half.path("actualRemainingSeconds")));
        }
        return 0;
    }

    private static JsonNode half(JsonNode predictions) {
        for (JsonNode prediction : predictions) {
            if (prediction.path("fraction").asDouble() == 0.5) {
                return prediction;
            }
        }
        return predictions.path("none");
    }

    private static String number(String format, JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, format, value.asDouble()) : "-";
    }
}
