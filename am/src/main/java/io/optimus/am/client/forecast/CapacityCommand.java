package io.optimus.am.client.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.AnswerCommand;
import io.optimus.am.client.command.ClientEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Says what the next node would save. */
@Command(
        name = "capacity",
        description =
                "Predict how much sooner the jobs would end with one more node, for each kind of node of the cluster.",
        footer = "  yarn jar optimus-am.jar capacity")
public final class CapacityCommand extends AnswerCommand {
    public CapacityCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected JsonNode ask(SchedulerClient scheduler) throws IOException {
        return scheduler.ask("/capacity", null);
    }

    @Override
    protected void print(JsonNode answer) {
        new ForecastText(out).capacity(answer);
    }
}
