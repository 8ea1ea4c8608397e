package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * Shows the progress of a job until it ends: it prints a line whenever something changed. It waits for a ResourceManager
 * that restarts or fails over, because the job goes on meanwhile.
 */
final class ProgressDisplay {
    /** A restart or a failover takes minutes at most; after this time an administrator has to help. */
    private static final long MAX_SILENCE_MILLIS = 30 * 60_000;

    private final ClusterClient cluster;
    private final SchedulerClient scheduler;
    private final ClientEnvironment environment;
    private final PrintWriter out;
    private String lastRemark = "";
    private String lastLine = "";

    ProgressDisplay(ClusterClient cluster, SchedulerClient scheduler, ClientEnvironment environment, PrintWriter out) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.environment = environment;
        this.out = out;
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
                    out.println("The ResourceManager answers again");
                    silent = false;
                }
                answeredMillis = environment.nowMillis();
                show(found.get());
            } catch (IOException away) {
                String cause = ClusterCommand.sentence(away);
                if (environment.nowMillis() - answeredMillis > MAX_SILENCE_MILLIS) {
                    return lost(
                            "Stopped waiting for " + id + ", which may go on: the ResourceManager has not answered for "
                                    + MAX_SILENCE_MILLIS / 60_000 + " minutes: " + cause);
                }
                if (!silent) {
                    out.println("The ResourceManager does not answer, waiting for it: " + cause);
                    out.flush();
                    silent = true;
                }
            }
            environment.pause();
        }
    }

    private Optional<Outcome> lost(String sentence) {
        out.println(sentence);
        out.flush();
        return Optional.empty();
    }

    private void show(ApplicationSummary application) {
        SchedulerClient.Answer answer = scheduler.job(application.id());
        String line = application.status().state()
                + answer.job(application.id()).map(job -> "  " + job.progress()).orElse("");
        if (!line.equals(lastLine)) {
            lastLine = line;
            out.println(line);
        }
        if (!answer.remark().isEmpty() && !answer.remark().equals(lastRemark)) {
            lastRemark = answer.remark();
            out.println("Cannot show progress: " + lastRemark);
        }
        out.flush();
    }

    private void end(ApplicationSummary application) {
        long seconds =
                (application.period().finishMillis() - application.period().startMillis()) / 1_000;
        out.println(application.status().outcome() + " after " + seconds + " s"
                + (application.status().diagnostics().isEmpty()
                        ? ""
                        : ": " + application.status().diagnostics()));
        out.flush();
    }
}
