package io.optimus.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.StringJoiner;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the last rounds. */
@Command(name = "rounds", description = "List the last rounds of the scheduler, the newest first.")
final class RoundsCommand extends ClusterCommand {
    private static final String ROW = "%8s %-24s %9s %6s %15s  %-24s %s%n";

    @Mixin
    private final OutputOption output = new OutputOption();

    RoundsCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException {
        JsonNode answer = environment.scheduler(configuration).read("/rounds");
        if (output.isForPrograms()) {
            output.print(out, answer);
            return 0;
        }
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
        return 0;
    }
}
