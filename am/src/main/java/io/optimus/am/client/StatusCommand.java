package io.optimus.am.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one job. */
@Command(name = "status", description = "Show one training job.")
final class StatusCommand extends ClusterCommand {
    @Parameters(paramLabel = "ID", converter = ApplicationParameter.class, description = "Its application id.")
    private ApplicationId id = ApplicationId.newInstance(0, 0);

    StatusCommand(Surroundings surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException {
        try (Cluster cluster = surroundings.cluster(configuration)) {
            Optional<Application> found = cluster.find(id.toString());
            if (found.isEmpty()) {
                err.println("YARN knows no " + id + ": see the command list --all");
                return FAILED;
            }
            Application job = found.get();
            row("id", job.id());
            row("name", job.name());
            row("user", job.user());
            row("queue", job.queue());
            row("state", job.ended() ? job.state() + ", " + job.outcome() : job.state());
            row("submitted", Instant.ofEpochMilli(job.startMillis()).toString());
            if (job.ended()) {
                row("ended", Instant.ofEpochMilli(job.finishMillis()).toString());
            } else {
                progress(surroundings.scheduler(configuration).jobs());
            }
            row("page", job.trackingUrl());
            row("diagnostics", job.diagnostics());
            return 0;
        }
    }

    private void progress(SchedulerView.Answer answer) {
        Optional<SchedulerJob> job = answer.job(id.toString());
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
