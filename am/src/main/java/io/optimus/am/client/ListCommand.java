package io.optimus.am.client;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.SchedulerJob;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists training jobs. */
@Command(name = "list", description = "List the training jobs that have not ended.")
final class ListCommand extends ClusterCommand {
    private static final String ROW = "%-32s %-20s %-12s %-12s %-10s %7s %9s %9s %9s %9s%n";

    @Option(names = "--all", description = "Ended ones too, as long as YARN remembers them.")
    private boolean all;

    ListCommand(ClientEnvironment surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException {
        try (ClusterClient cluster = surroundings.cluster(configuration)) {
            List<ApplicationSummary> jobs = cluster.trainings().stream()
                    .filter(job -> all || !job.ended())
                    .toList();
            SchedulerClient.Answer answer =
                    surroundings.scheduler(configuration).jobs();
            out.printf(ROW, "id", "name", "user", "queue", "state", "epoch", "loss", "ps", "workers", "steps/s");
            jobs.forEach(job -> print(job, answer.job(job.id())));
            if (!answer.remark().isEmpty()) {
                err.println("No progress to show: " + answer.remark());
            }
            return 0;
        }
    }

    private void print(ApplicationSummary job, Optional<SchedulerJob> progress) {
        out.printf(
                ROW,
                job.id(),
                job.name(),
                job.user(),
                job.queue(),
                job.ended() ? job.outcome() : job.state(),
                number("%.1f", progress.map(SchedulerJob::epoch)),
                number("%.4f", progress.map(SchedulerJob::loss)),
                progress.map(SchedulerJob::parameterServers).orElse("-"),
                progress.map(SchedulerJob::workers).orElse("-"),
                number("%.1f", progress.map(SchedulerJob::stepsPerSecond)));
    }

    private static String number(String format, Optional<OptionalDouble> number) {
        OptionalDouble value = number.orElse(OptionalDouble.empty());
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
    }
}
