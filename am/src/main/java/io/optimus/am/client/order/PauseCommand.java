package io.optimus.am.client.order;

import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.command.ClientEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Pauses all rounds. */
@Command(
        name = "pause",
        description = "Administrators: pause all rounds. Every job keeps its part of the plan, and no new job starts.",
        footer = "  yarn jar optimus-am.jar pause")
public final class PauseCommand extends OrderCommand {
    public PauseCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    String order(OrderClient scheduler) throws IOException {
        scheduler.give("/pause");
        return "Paused: the scheduler decides nothing until the command resume";
    }
}
