package io.optimus.am.client.submission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterCheck;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterClient.NewApplication;
import io.optimus.am.client.cluster.ClusterFileCheck;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.OutputOption;
import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.job.WorkerFile;
import io.optimus.am.yaml.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Submits a job. */
@Command(
        name = "submit",
        exitCodeList = {
            "0:success; with --wait, the job has succeeded",
            "1:the cluster refused or does not answer; with --wait, the job failed",
            "2:invalid options or job file; nothing was done",
            "3:--wait stopped before the job ended, because YARN no longer knows it or has not answered for half an hour;"
                    + " the job may go on"
        },
        description = "Submit a training job; prints its application id, its page, and the folder of its model.",
        footer = {
            "  yarn jar optimus-am.jar submit job.yaml --wait",
            "  yarn jar optimus-am.jar submit job.yaml --queue research --set roles.worker.max=6",
            "  yarn jar optimus-am.jar submit job.yaml --output json"
        })
public final class SubmitCommand extends JobFileCommand {
    @Mixin
    private final JobFileOptions options = new JobFileOptions();

    @Option(
            names = "--wait",
            description = "Show progress until the job ends; its outcome decides the exit code. Ctrl-C detaches.")
    private boolean wait;

    @Option(names = "--dry-run", description = "Check the job against the cluster, and submit nothing.")
    private boolean dryRun;

    @Mixin
    private final OutputOption output = new OutputOption();

    public SubmitCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected int runWithFile(Configuration configuration)
            throws IOException, InterruptedException, InvalidJobFileException {
        JobFile file = options.read(err);
        JobSpec spec = file.spec();
        Path jar = Submission.jar(configuration);
        NativesSource natives = spec.engine().needsNativeLibraries()
                ? NativesSource.find(configuration, jar, environment.variable(ClientKeys.NATIVES_VARIABLE))
                : NativesSource.NONE;
        try (ClusterClient cluster = environment.cluster(configuration)) {
            NewApplication application = cluster.newApplication();
            List<FileProblem> problems =
                    new ArrayList<>(ClusterCheck.problems(file.demand(), application.largest(), cluster.queues()));
            problems.addAll(ClusterFileCheck.problems(file.demand(), configuration));
            problems.addAll(ResumeCheck.problems(file.demand(), configuration, cluster));
            if (!problems.isEmpty()) {
                return report(problems);
            }
            if (dryRun) {
                if (output.isForPrograms()) {
                    output.print(out, JobSpecJson.keys(spec));
                } else {
                    out.print(JobFile.print(spec));
                }
                forPeople().println("# Not submitted: --dry-run");
                return 0;
            }
            new Submission(configuration, cluster, jar).submit(application, file, natives);
            sayWhatWasSent(file);
            String folder = folder(spec.outputOf(application.id().toString()), configuration);
            forPeople().println("Output    " + folder);
            return follow(configuration, cluster, application.id().toString(), new Made(jar, folder));
        }
    }

    /** Where a program reads the answer, people read what leads to it as messages. */
    private PrintWriter forPeople() {
        return output.isForPrograms() ? err : out;
    }

    private void sayWhatWasSent(JobFile job) throws IOException {
        long bytes = 0;
        for (WorkerFile file : job.uploads()) {
            bytes += Files.size(file.local(job.folder()));
        }
        int files = job.uploads().size();
        if (files > 0) {
            forPeople()
                    .println(String.format(
                            Locale.ROOT,
                            "Sent      %d %s, %.1f MiB",
                            files,
                            files == 1 ? "file" : "files",
                            bytes / (double) (1 << 20)));
        }
    }

    /** The whole address of the output folder; as the job file names it if its file system is not known here. */
    private static String folder(String named, Configuration configuration) {
        org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(named);
        try {
            FileSystem fileSystem = path.getFileSystem(configuration);
            org.apache.hadoop.fs.Path inHome = new org.apache.hadoop.fs.Path(fileSystem.getHomeDirectory(), path);
            return fileSystem.makeQualified(inHome).toString();
        } catch (IOException unknown) {
            return named;
        }
    }

    /** What was sent, and where the job leaves what it makes. */
    private record Made(Path jar, String folder) {}

    private int follow(Configuration configuration, ClusterClient cluster, String id, Made made)
            throws InterruptedException {
        forPeople().println("Submitted " + id);
        String page = page(cluster, id);
        if (!page.isEmpty()) {
            forPeople().println("Page      " + page);
        }
        forPeople().flush();
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("page", page.isEmpty() ? null : page)
                .put("output", made.folder());
        int code = wait ? await(configuration, cluster, made, answer) : 0;
        if (output.isForPrograms()) {
            output.print(out, answer);
        }
        return code;
    }

    /** Waits for the end of the job in {@code answer}, and adds its outcome and its result. */
    private int await(Configuration configuration, ClusterClient cluster, Made made, ObjectNode answer)
            throws InterruptedException {
        String id = answer.path("id").asText();
        Thread detached = new Thread(() -> {
            err.println("Detached: " + id + " goes on. To end it: " + commandLine(made.jar(), "kill", id));
            err.flush();
        });
        Runtime.getRuntime().addShutdownHook(detached);
        try {
            ProgressDisplay display =
                    new ProgressDisplay(cluster, environment.scheduler(configuration), environment, forPeople());
            Optional<Outcome> outcome = display.untilEnd(id);
            if (outcome.isEmpty()) {
                return LOST;
            }
            JobResult result = JobResult.read(configuration, made.folder(), id);
            result.lines().forEach(forPeople()::println);
            answer.put("outcome", outcome.get().name().toLowerCase(Locale.ROOT));
            answer.set("result", result.whole());
            cleanUp(configuration, id);
            return outcome.get() == Outcome.SUCCEEDED ? 0 : FAILED;
        } finally {
            removeHook(detached);
        }
    }

    /** The address of the job's page. It is empty if YARN does not answer; the job is submitted anyway. */
    private static String page(ClusterClient cluster, String id) {
        try {
            return cluster.find(id).map(ApplicationSummary::trackingUrl).orElse("");
        } catch (IOException unknown) {
            return "";
        }
    }

    /** Removes the secret, the jar and the sent files, in case the ApplicationMaster never started and could not do it. */
    private void cleanUp(Configuration configuration, String id) {
        try {
            Staging staging = Staging.of(configuration);
            staging.removeTemporary(staging.directory(id));
        } catch (IOException failed) {
            err.println("The job's jar, secret and sent files may still be in its folder: " + sentence(failed));
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The process ends already, and the hook prints its message.
        }
    }
}
