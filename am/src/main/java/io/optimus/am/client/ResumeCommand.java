package io.optimus.am.client;

import io.optimus.am.client.cluster.OrderClient;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Ends the pause of all rounds. */
@Command(name = "resume", description = "Administrators: end the pause of all rounds.")
final class ResumeCommand extends OrderCommand {
    ResumeCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    String order(OrderClient scheduler) throws IOException {
        scheduler.takeBack("/pause");
        return "Resumed";
    }
}
