package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.client.cluster.SchedulerJob.Training;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import io.optimus.am.client.command.OutputOption;
import io.optimus.model.belief.RemainingTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists training jobs. */
@Command(
        name = "list",
        description = "List the training jobs that have not ended.",
        footer = {"  yarn jar optimus-am.jar list", "  yarn jar optimus-am.jar list --all --output json"})
public final class ListCommand extends ClusterCommand {
    private static final String ROW = "%-32s %-20s %-12s %-12s %-10s %7s %9s %9s %9s %9s";
    /** What only jobs that have ended have; their folder, the longest, is last. */
    private static final String ENDED = " %9s %9s  %s";

    @Option(names = "--all", description = "Also list the jobs that have ended, as long as YARN remembers them.")
    private boolean all;

    @Mixin
    private final OutputOption output = new OutputOption();

    public ListCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected int run(Configuration configuration) throws IOException {
        try (ClusterClient cluster = environment.cluster(configuration)) {
            List<ApplicationSummary> jobs = cluster.trainingJobs().stream()
                    .filter(job -> all || !job.status().ended())
                    .toList();
            SchedulerClient scheduler = environment.scheduler(configuration);
            SchedulerClient.Answer answer = scheduler.jobs();
            Map<String, SchedulerJob> known = new HashMap<>(answer.jobs());
            if (all && answer.remark().isEmpty()) {
                ended(scheduler).forEach(known::putIfAbsent);
            }
            if (output.isForPrograms()) {
                ArrayNode list = JsonNodeFactory.instance.arrayNode();
                jobs.forEach(job -> list.add(JobJson.json(job, Optional.ofNullable(known.get(job.id())))));
                output.print(out, list);
                remark(answer);
                return 0;
            }
            out.printf(ROW, "id", "name", "user", "queue", "state", "epoch", "loss", "ps", "workers", "steps/s");
            if (all) {
                out.printf(ENDED, "accuracy", "took", "output");
            }
            out.println();
            jobs.forEach(job -> print(job, Optional.ofNullable(known.get(job.id()))));
            if (known.values().stream().anyMatch(SchedulerJob::isOnlyAdvised)) {
                err.println("The scheduler runs in mode advise: its plans are only advice, and jobs size themselves");
            }
            remark(answer);
            return 0;
        }
    }

    private void remark(SchedulerClient.Answer answer) {
        if (!answer.remark().isEmpty()) {
            err.println("Cannot show progress: " + answer.remark());
        }
    }

    /** What the scheduler remembers of jobs that have ended; none if it does not say. */
    private static Map<String, SchedulerJob> ended(SchedulerClient scheduler) {
        Map<String, SchedulerJob> ended = new HashMap<>();
        try {
            for (JsonNode job : scheduler.read("/history?limit=1000").path("jobs")) {
                ended.put(job.path("id").asText(), SchedulerJob.of(job));
            }
        } catch (IOException unknown) {
            return Map.of();
        }
        return ended;
    }

    private void print(ApplicationSummary job, Optional<SchedulerJob> progress) {
        Optional<Training> training = progress.map(SchedulerJob::training);
        out.printf(
                ROW,
                job.id(),
                job.name(),
                job.user(),
                job.queue(),
                job.status().ended() ? job.status().outcome() : job.status().state(),
                number("%.1f", training.map(Training::epoch)),
                number("%.4f", training.map(Training::loss)),
                progress.map(SchedulerJob::parameterServers).orElse("-"),
                progress.map(SchedulerJob::workers).orElse("-"),
                number("%.1f", training.map(Training::stepsPerSecond)));
        if (all && job.status().ended()) {
            Optional<SchedulerJob.Result> result = progress.map(SchedulerJob::result);
            Duration took =
                    Duration.ofMillis(job.period().finishMillis() - job.period().startMillis());
            out.printf(
                    ENDED,
                    number("%.4f", result.map(SchedulerJob.Result::accuracy)),
                    RemainingTime.words((double) took.toSeconds()),
                    result.flatMap(SchedulerJob.Result::output).orElse("-"));
        }
        out.println();
    }

    private static String number(String format, Optional<OptionalDouble> number) {
        OptionalDouble value = number.orElse(OptionalDouble.empty());
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
    }
}
