package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.client.cluster.SchedulerJob.Training;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Shows the progress of a job until it ends. It waits for a ResourceManager that restarts or fails over, because the job goes on
 * meanwhile.
 */
final class ProgressDisplay {
    private final ClusterClient cluster;
    private final SchedulerClient scheduler;
    private final ClientEnvironment environment;
    private final ProgressLine line;
    private String lastRemark = "";

    ProgressDisplay(ClusterClient cluster, SchedulerClient scheduler, ClientEnvironment environment, PrintWriter out) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.environment = environment;
        this.line = new ProgressLine(out, environment.columns());
    }

    /** Returns the outcome when the job has ended. If YARN no longer answers about the job, prints that and returns empty. */
    Optional<Outcome> untilEnd(String id) throws InterruptedException {
        long answeredMillis = environment.nowMillis();
        boolean silent = false;
        while (true) {
            try {
                Optional<ApplicationSummary> found = cluster.find(id);
                if (found.isEmpty()) {
                    return lost("YARN no longer knows " + id + ": look for it in the application history");
                }
                if (found.get().status().ended()) {
                    end(found.get());
                    return Optional.of(found.get().status().outcome());
                }
                if (silent) {
                    line.println("The ResourceManager answers again");
                    silent = false;
                }
                answeredMillis = environment.nowMillis();
                show(found.get());
            } catch (IOException away) {
                String cause = ClusterCommand.sentence(away);
                if (environment.nowMillis() - answeredMillis > ClientEnvironment.LONGEST_SILENCE_MILLIS) {
                    return lost(
                            "Stopped waiting for " + id + ", which may go on: the ResourceManager has not answered for "
                                    + ClientEnvironment.LONGEST_SILENCE_MILLIS / 60_000 + " minutes: " + cause);
                }
                if (!silent) {
                    line.println("The ResourceManager does not answer, waiting for it: " + cause);
                    silent = true;
                }
            }
            environment.pause();
        }
    }

    private Optional<Outcome> lost(String sentence) {
        line.println(sentence);
        return Optional.empty();
    }

    private void show(ApplicationSummary application) {
        SchedulerClient.Answer answer = scheduler.job(application.id());
        Optional<SchedulerJob> job = answer.job(application.id());
        line.show(
                application.status().state()
                        + job.map(known -> "  " + known.progress()).orElse(""),
                job.map(SchedulerJob::training).map(Training::done).orElse(OptionalDouble.empty()));
        if (!answer.remark().isEmpty() && !answer.remark().equals(lastRemark)) {
            lastRemark = answer.remark();
            line.println("Cannot show progress: " + lastRemark);
        }
    }

    private void end(ApplicationSummary application) {
        long seconds =
                (application.period().finishMillis() - application.period().startMillis()) / 1_000;
        line.println(application.status().outcome() + " after " + seconds + " s"
                + (application.status().diagnostics().isEmpty()
                        ? ""
                        : ": " + application.status().diagnostics()));
    }
}
