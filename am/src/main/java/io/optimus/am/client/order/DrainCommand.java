package io.optimus.am.client.order;

import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.command.ClientEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Drains a node or a queue of training, or ends that. */
@Command(
        name = "drain",
        description = "Administrators: have training leave a node or a queue, until the same command with --undo.",
        footer = {
            "  yarn jar optimus-am.jar drain --node gpu01:8041",
            "  yarn jar optimus-am.jar drain --node gpu01:8041 --undo"
        })
public final class DrainCommand extends OrderCommand {
    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(names = "--undo", description = "Let training use it again.")
    private boolean undo;

    public DrainCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    /** One of both. */
    private static final class What {
        @Option(
                names = "--node",
                paramLabel = "HOST:PORT",
                description = "The id of the node, as yarn node -list shows it.")
        private @Nullable String node;

        @Option(names = "--queue", paramLabel = "PATH", description = "The path of the queue, such as root.research.")
        private @Nullable String queue;

        String path() {
            return node != null ? "/drained-nodes/" + part(node) : "/drained-queues/" + part(String.valueOf(queue));
        }

        String inWords() {
            return node != null ? "node " + node : "queue " + queue;
        }
    }

    @Override
    String order(OrderClient scheduler) throws IOException {
        if (undo) {
            scheduler.takeBack(what.path());
            return "Training may use the " + what.inWords() + " again";
        }
        scheduler.give(what.path());
        return "Training leaves the " + what.inWords();
    }
}
