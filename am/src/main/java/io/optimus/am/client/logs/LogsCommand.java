package io.optimus.am.client.logs;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.JobCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the output of a job's processes. */
@Command(
        name = "logs",
        description =
                "Print what the processes of a training job have written to their output, while it runs and, where"
                        + " YARN aggregates logs, when it has ended.",
        footer = {
            "  yarn jar optimus-am.jar logs application_1700000000000_0001",
            "  yarn jar optimus-am.jar logs application_1700000000000_0001 --role worker --index 0 --follow"
        })
public final class LogsCommand extends JobCommand {
    private enum LogRole {
        WORKER,
        PS,
        MASTER;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which processes. */
    private static final class Which {
        @Option(
                names = "--role",
                required = true,
                paramLabel = "worker|ps|master",
                description = "Only processes of this role; master is the ApplicationMaster.")
        private LogRole role = LogRole.WORKER;

        @Option(
                names = "--index",
                paramLabel = "N",
                description =
                        "Only the process of this number, as the job's page names it: 3 for worker-3. It may be one"
                                + " that has ended. For the master, the attempt, from 1.")
        private @Nullable Integer index;

        private boolean is(LoggedTask task) {
            return index == null
                    ? task.name().startsWith(role.word() + "-")
                    : task.name().equals(name());
        }

        private String name() {
            return role.word() + "-" + index;
        }
    }

    @ArgGroup(exclusive = false, multiplicity = "0..1")
    private @Nullable Which which;

    @Option(
            names = "--follow",
            description = "Go on with what is added, also by new processes, until the job ends. Ctrl-C ends it.")
    private boolean follow;

    @Option(names = "--tail", paramLabel = "LINES", description = "Only the last lines of each file.")
    private @Nullable Integer tail;

    private final Set<String> remarks = new HashSet<>();

    public LogsCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job)
            throws IOException, InterruptedException {
        if (tail != null && tail < 0) {
            throw wrong("--tail " + tail + " is negative: give the number of lines, 0 or more");
        }
        JobLogs logs = new JobLogs(configuration, cluster);
        List<LoggedTask> tasks = chosen(logs, job);
        LogPrinter printer =
                new LogPrinter(job.status().ended() ? new AggregatedLogs(configuration, job) : new NodeLogs(), out);
        for (LoggedTask task : tasks) {
            try {
                printer.print(task, tail == null ? -1 : tail);
            } catch (IOException failed) {
                // A node of several may be down, or a process may just begin.
                if (job.status().ended() || (tasks.size() == 1 && !follow)) {
                    throw failed;
                }
                remark(failed);
            }
        }
        if (follow && !job.status().ended()) {
            follow(logs, cluster, job, printer, tasks);
        }
        printer.end();
    }

    private List<LoggedTask> chosen(JobLogs logs, ApplicationSummary job) throws IOException {
        List<LoggedTask> tasks = new ArrayList<>(now(logs, job));
        boolean masters = which != null && which.role == LogRole.MASTER;
        if (tasks.isEmpty() && !masters && (job.status().ended() || (which != null && which.index != null))) {
            logs.started(job).stream().filter(this::isChosen).forEach(tasks::add);
        }
        if (tasks.isEmpty()) {
            throw new IOException(
                    which != null && which.index != null
                            ? job.id() + " has no " + which.name() + ": its page lists its processes, "
                                    + job.trackingUrl()
                            : job.id() + " has no such process now: it is "
                                    + job.status().state());
        }
        return tasks;
    }

    /** The chosen processes that run; for a job that has ended, the last ApplicationMaster. */
    private List<LoggedTask> now(JobLogs logs, ApplicationSummary job) throws IOException {
        List<LoggedTask> tasks = new ArrayList<>();
        if (which == null || which.role != LogRole.MASTER) {
            if (!job.status().ended()) {
                logs.running(job).stream().filter(this::isChosen).forEach(tasks::add);
            } else if (which == null) {
                tasks.addAll(logs.started(job));
            }
        }
        if (which == null || which.role == LogRole.MASTER) {
            List<LoggedTask> masters = logs.masters(job.id());
            if (which != null && which.index != null) {
                masters.stream().filter(this::isChosen).forEach(tasks::add);
            } else if (!masters.isEmpty()) {
                tasks.add(masters.get(masters.size() - 1));
            }
        }
        return tasks;
    }

    private boolean isChosen(LoggedTask task) {
        return which == null || which.is(task);
    }

    private void follow(
            JobLogs logs, ClusterClient cluster, ApplicationSummary job, LogPrinter printer, List<LoggedTask> printed)
            throws IOException, InterruptedException {
        // Processes that have ended stay here until their last words are read.
        Map<String, LoggedTask> followed = new LinkedHashMap<>();
        printed.forEach(task -> followed.put(task.container(), task));
        long answeredMillis = environment.nowMillis();
        while (true) {
            environment.pause();
            try {
                Optional<ApplicationSummary> found = cluster.find(job.id());
                answeredMillis = environment.nowMillis();
                if (found.isEmpty() || found.get().status().ended()) {
                    printNew(followed, printer);
                    printer.end();
                    out.println("==> " + job.id() + " has ended"
                            + found.map(known -> ": " + known.status().outcome())
                                    .orElse("")
                            + " <==");
                    return;
                }
                now(logs, found.get()).forEach(task -> followed.put(task.container(), task));
            } catch (IOException away) {
                if (environment.nowMillis() - answeredMillis > ClientEnvironment.LONGEST_SILENCE_MILLIS) {
                    throw away;
                }
                remark(away);
            }
            printNew(followed, printer);
        }
    }

    private void printNew(Map<String, LoggedTask> followed, LogPrinter printer) {
        for (LoggedTask task : List.copyOf(followed.values())) {
            try {
                printer.printNew(task);
            } catch (IOException gone) {
                followed.remove(task.container());
                remark(gone);
            }
        }
    }

    /** A node may be away for a while: each remark is printed once. */
    private void remark(IOException failed) {
        if (remarks.add(sentence(failed))) {
            err.println(sentence(failed));
            err.flush();
        }
    }
}
