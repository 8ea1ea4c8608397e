package io.optimus.am.client;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.SchedulerClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * Shows a job's progress until it ends: a line whenever something changed. A ResourceManager that is away for a while, as
 * when it restarts, is waited for: the job goes on meanwhile.
 */
final class ProgressDisplay {
    /** A restart or a failover takes minutes at most; after this somebody has to look. */
    private static final long PATIENCE_MILLIS = 30 * 60_000;

    private final ClusterClient cluster;
    private final SchedulerClient scheduler;
    private final ClientEnvironment surroundings;
    private final PrintWriter out;
    private String lastRemark = "";
    private String lastLine = "";

    ProgressDisplay(ClusterClient cluster, SchedulerClient scheduler, ClientEnvironment surroundings, PrintWriter out) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.surroundings = surroundings;
        this.out = out;
    }

    /** Returns when the job has ended, with how it did; empty where YARN cannot tell any more, which was said then. */
    Optional<Outcome> untilEnd(String id) throws InterruptedException {
        long answeredMillis = surroundings.nowMillis();
        boolean silent = false;
        while (true) {
            try {
                Optional<ApplicationSummary> found = cluster.find(id);
                if (found.isEmpty()) {
                    return lost("YARN does not know " + id + " any more: its history may still do");
                }
                if (found.get().ended()) {
                    end(found.get());
                    return Optional.of(found.get().outcome());
                }
                if (silent) {
                    out.println("The ResourceManager answers again");
                    silent = false;
                }
                answeredMillis = surroundings.nowMillis();
                show(found.get());
            } catch (IOException away) {
                String cause = ClusterCommand.sentence(away);
                if (surroundings.nowMillis() - answeredMillis > PATIENCE_MILLIS) {
                    return lost("Lost sight of " + id + ", which may go on: no answer for " + PATIENCE_MILLIS / 60_000
                            + " minutes: " + cause);
                }
                if (!silent) {
                    out.println("The ResourceManager does not answer, waiting for it: " + cause);
                    out.flush();
                    silent = true;
                }
            }
            surroundings.pause();
        }
    }

    private Optional<Outcome> lost(String sentence) {
        out.println(sentence);
        out.flush();
        return Optional.empty();
    }

    private void show(ApplicationSummary application) {
        SchedulerClient.Answer answer = scheduler.jobs();
        String line = application.state()
                + answer.job(application.id()).map(job -> "  " + job.progress()).orElse("");
        if (!line.equals(lastLine)) {
            lastLine = line;
            out.println(line);
        }
        if (!answer.remark().isEmpty() && !answer.remark().equals(lastRemark)) {
            lastRemark = answer.remark();
            out.println("No progress to show: " + lastRemark);
        }
        out.flush();
    }

    private void end(ApplicationSummary application) {
        long seconds = (application.finishMillis() - application.startMillis()) / 1_000;
        out.println(application.outcome() + " after " + seconds + " s"
                + (application.diagnostics().isEmpty() ? "" : ": " + application.diagnostics()));
        out.flush();
    }
}
