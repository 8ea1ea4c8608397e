package io.optimus.am.client.top;

import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jline.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows all jobs live. */
@Command(
        name = "top",
        description =
                "Show all training jobs in the terminal, live. Keys: o changes the order, arrows and page keys scroll, q quits."
                        + " If the output is not a terminal, print them once.",
        footer = {"  yarn jar optimus-am.jar top", "  yarn jar optimus-am.jar top --every 5 --order waiting"})
public final class TopCommand extends ClusterCommand {
    /** Wide enough for every column where lines are not cut. */
    private static final int ALL_COLUMNS = 1_000;

    private static final int LONGEST_SECONDS = 3_600;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description = "Time between two questions to the scheduler, from 1 to 3600; by default 2.")
    private int every = 2;

    @Option(
            names = "--order",
            paramLabel = "submitted|end|tasks|waiting",
            description =
                    "Which job stands first: the oldest, which is the default; the one that ends first; the largest;"
                            + " the one that waits longest.")
    private JobOrder order = JobOrder.SUBMITTED;

    @Option(names = "--once", description = "Print the jobs once, with all columns.")
    private boolean once;

    public TopCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected int run(Configuration configuration) throws IOException {
        if (every < 1 || every > LONGEST_SECONDS) {
            throw wrong("--every is from 1 to " + LONGEST_SECONDS + " seconds, not " + every);
        }
        SchedulerClient scheduler = environment.scheduler(configuration);
        // Fails here, with the reason, if nobody answers at all.
        ClusterState state = ClusterState.read(scheduler);
        Optional<Terminal> terminal = once ? Optional.empty() : environment.terminal();
        if (terminal.isEmpty()) {
            JobScreen screen = new JobScreen(state, order);
            screen.head().forEach(out::println);
            out.println(screen.titles(ALL_COLUMNS));
            screen.rows(ALL_COLUMNS).forEach(out::println);
            return 0;
        }
        try (Terminal screen = terminal.get()) {
            new LiveView(screen, scheduler, Duration.ofSeconds(every), order).run(state);
        }
        return 0;
    }
}
