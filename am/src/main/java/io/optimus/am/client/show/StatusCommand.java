package io.optimus.am.client.show;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.JobCommand;
import io.optimus.am.client.command.OutputOption;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows one job. */
@Command(
        name = "status",
        description = "Show one training job.",
        footer = "  yarn jar optimus-am.jar status application_1700000000000_0001")
public final class StatusCommand extends JobCommand {
    @Mixin
    private final OutputOption output = new OutputOption();

    public StatusCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) {
        ApplicationSummary.Status status = job.status();
        SchedulerClient.Answer answer = environment.scheduler(configuration).job(job.id());
        if (output.isForPrograms()) {
            output.print(out, JobJson.json(job, answer.job(job.id())));
            if (!answer.remark().isEmpty()) {
                err.println("Cannot show progress: " + answer.remark());
            }
            return;
        }
        row("id", job.id());
        row("name", job.name());
        row("user", job.user());
        row("queue", job.queue());
        row("state", status.state() + (status.ended() ? ", " + status.outcome() : ""));
        row("submitted", Instant.ofEpochMilli(job.period().startMillis()).toString());
        if (status.ended()) {
            row("ended", Instant.ofEpochMilli(job.period().finishMillis()).toString());
            answer.job(job.id()).ifPresent(this::result);
        } else {
            progress(job.id(), answer);
        }
        row("page", job.trackingUrl());
        row("diagnostics", status.diagnostics());
    }

    private void result(SchedulerJob job) {
        SchedulerJob.Training training = job.training();
        row("steps", String.valueOf(training.step()));
        row("loss", number(training.loss()));
        row("accuracy", number(job.result().accuracy()));
        row("output", job.result().output().orElse(""));
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.4f", value.getAsDouble()) : "";
    }

    private void progress(String id, SchedulerClient.Answer answer) {
        Optional<SchedulerJob> job = answer.job(id);
        row("progress", job.map(SchedulerJob::progress).orElse(""));
        row(
                "waits since",
                job.flatMap(SchedulerJob::waitingSince).map(Instant::toString).orElse(""));
        row("reason", job.map(SchedulerJob::reason).orElse(""));
        if (job.filter(SchedulerJob::isOnlyAdvised).isPresent()) {
            row("scheduler", "mode advise: its plans are only advice, and the job sizes itself");
        }
        if (job.isEmpty()) {
            row("scheduler", answer.remark().isEmpty() ? "does not know the job yet" : answer.remark());
        }
    }

    private void row(String name, String value) {
        if (!value.isEmpty()) {
            out.printf("%-12s %s%n", name, value);
        }
    }
}
