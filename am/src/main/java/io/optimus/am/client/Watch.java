package io.optimus.am.client;

import io.optimus.am.client.Application.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/** Shows a job's progress until it ends: a line whenever something changed. */
final class Watch {
    private final Cluster cluster;
    private final SchedulerView scheduler;
    private final Surroundings surroundings;
    private final PrintWriter out;
    private String lastRemark = "";
    private String lastLine = "";

    Watch(Cluster cluster, SchedulerView scheduler, Surroundings surroundings, PrintWriter out) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.surroundings = surroundings;
        this.out = out;
    }

    /** Returns when the job has ended, with how it did. */
    Outcome untilEnd(String id) throws IOException, InterruptedException {
        while (true) {
            Optional<Application> found = cluster.find(id);
            if (found.isEmpty()) {
                throw new IOException("YARN does not know " + id + " any more: its history may still do");
            }
            Application application = found.get();
            if (application.ended()) {
                end(application);
                return application.outcome();
            }
            show(application);
            surroundings.pause();
        }
    }

    private void show(Application application) {
        SchedulerView.Answer answer = scheduler.jobs();
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

    private void end(Application application) {
        long seconds = (application.finishMillis() - application.startMillis()) / 1_000;
        out.println(application.outcome() + " after " + seconds + " s"
                + (application.diagnostics().isEmpty() ? "" : ": " + application.diagnostics()));
        out.flush();
    }
}
