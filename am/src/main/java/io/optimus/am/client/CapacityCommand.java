package io.optimus.am.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.forecast.ForecastText;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what the next node would save. */
@Command(
        name = "capacity",
        description =
                "Predict how much sooner the jobs would end with one more node, for each kind of node of the cluster.")
final class CapacityCommand extends ClusterCommand {
    @Mixin
    private final OutputOption output = new OutputOption();

    CapacityCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException {
        JsonNode answer = environment.scheduler(configuration).ask("/capacity", null);
        if (output.isForPrograms()) {
            output.print(out, answer);
        } else {
            new ForecastText(out).capacity(answer);
        }
        return 0;
    }
}
