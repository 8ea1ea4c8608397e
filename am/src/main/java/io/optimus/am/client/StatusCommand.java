package io.optimus.am.client;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.SchedulerJob;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;

/** Shows one job. */
@Command(name = "status", description = "Show one training job.")
final class StatusCommand extends JobCommand {
    StatusCommand(ClientEnvironment surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) {
        row("id", job.id());
        row("name", job.name());
        row("user", job.user());
        row("queue", job.queue());
        row("state", job.ended() ? job.state() + ", " + job.outcome() : job.state());
        row("submitted", Instant.ofEpochMilli(job.startMillis()).toString());
        if (job.ended()) {
            row("ended", Instant.ofEpochMilli(job.finishMillis()).toString());
        } else {
            progress(job.id(), surroundings.scheduler(configuration).jobs());
        }
        row("page", job.trackingUrl());
        row("diagnostics", job.diagnostics());
    }

    private void progress(String id, SchedulerClient.Answer answer) {
        Optional<SchedulerJob> job = answer.job(id);
        row("progress", job.map(SchedulerJob::progress).orElse(""));
        row("reason", job.map(SchedulerJob::reason).orElse(""));
        if (job.isEmpty()) {
            row("scheduler", answer.remark().isEmpty() ? "has not heard of it yet" : answer.remark());
        }
    }

    private void row(String name, String value) {
        if (!value.isEmpty()) {
            out.printf("%-12s %s%n", name, value);
        }
    }
}
