package io.optimus.am.client.order;

import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.command.ClientEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Ends the pause of all rounds. */
@Command(
        name = "resume",
        description = "Administrators: end the pause of all rounds.",
        footer = "  yarn jar optimus-am.jar resume")
public final class ResumeCommand extends OrderCommand {
    public ResumeCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    String order(OrderClient scheduler) throws IOException {
        scheduler.takeBack("/pause");
        return "Resumed";
    }
}
