package io.optimus.am.client.order;

import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.command.ClientEnvironment;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fixes the size of one job, or ends that. */
@Command(
        name = "resize",
        description = "Administrators: fix the size of a training job, until the same command with --undo.",
        footer = {
            "  yarn jar optimus-am.jar resize application_1700000000000_0001 --workers 4 --parameter-servers 2",
            "  yarn jar optimus-am.jar resize application_1700000000000_0001 --undo"
        })
public final class ResizeCommand extends OrderCommand {
    @Parameters(paramLabel = "ID", description = "The application id of the job.")
    private String id = "";

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(
            names = "--parameter-servers",
            paramLabel = "M",
            description = "Its parameter servers, beside --workers; 0 for a job without them.")
    private @Nullable Integer parameterServers;

    public ResizeCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    /** One of these. */
    private static final class What {
        @Option(names = "--workers", paramLabel = "N", description = "Its workers.")
        private @Nullable Integer workers;

        @Option(names = "--keep", description = "Keep the size that it has.")
        private boolean keep;

        @Option(names = "--undo", description = "Let the scheduler choose its size again.")
        private boolean undo;
    }

    @Override
    String order(OrderClient scheduler) throws IOException {
        if (parameterServers != null && what.workers == null) {
            throw wrong("--parameter-servers goes with --workers only");
        }
        String path = "/jobs/" + part(id) + "/size";
        if (what.undo) {
            scheduler.takeBack(path);
            return "The scheduler chooses the size of " + id + " again";
        }
        if (what.keep) {
            scheduler.give(path);
            return id + " keeps its size";
        }
        scheduler.give(path + "?workers=" + what.workers + "&parameterServers="
                + (parameterServers == null ? 0 : parameterServers));
        return "The size of " + id + " is fixed";
    }
}
