package io.optimus.am.client;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterCheck;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterClient.Slot;
import io.optimus.am.client.submission.NativesSource;
import io.optimus.am.client.submission.Staging;
import io.optimus.am.client.submission.Submission;
import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.yaml.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Submits a job. */
@Command(name = "submit", description = "Submit a training job; prints its application id and its page.")
final class SubmitCommand extends ClusterCommand {
    @Mixin
    private final JobFileOptions options = new JobFileOptions();

    @Option(names = "--wait", description = "Show progress until the job ends; exit by its outcome. Ctrl-C detaches.")
    private boolean wait;

    @Option(names = "--dry-run", description = "Check all that can be checked and submit nothing.")
    private boolean dryRun;

    SubmitCommand(ClientEnvironment surroundings, PrintWriter out, PrintWriter err) {
        super(surroundings, out, err);
    }

    @Override
    int run(Configuration configuration) throws IOException, InterruptedException, InvalidJobFileException {
        JobFile file = options.read();
        JobSpec spec = file.spec();
        Path jar = ClientEnvironment.jar(configuration);
        NativesSource natives = spec.engine().needsNativeLibraries()
                ? NativesSource.find(configuration, jar, surroundings.variable(ClientKeys.NATIVES_VARIABLE))
                : new NativesSource.None();
        try (ClusterClient cluster = surroundings.cluster(configuration)) {
            Slot slot = cluster.newApplication();
            List<FileProblem> problems = ClusterCheck.problems(file.demand(), slot.largest(), cluster.queues());
            if (!problems.isEmpty()) {
                return report(problems);
            }
            if (dryRun) {
                out.print(JobFile.print(spec));
                out.println("# Not submitted: --dry-run");
                return 0;
            }
            new Submission(configuration, cluster, jar).submit(slot, spec, natives);
            return follow(configuration, cluster, slot.id().toString());
        }
    }

    private int follow(Configuration configuration, ClusterClient cluster, String id) throws InterruptedException {
        out.println("Submitted " + id);
        String page = page(cluster, id);
        if (!page.isEmpty()) {
            out.println("Page      " + page);
        }
        out.flush();
        if (!wait) {
            return 0;
        }
        Thread detached = new Thread(() -> {
            err.println("Detached: " + id + " goes on. To end it: kill " + id);
            err.flush();
        });
        Runtime.getRuntime().addShutdownHook(detached);
        try {
            ProgressDisplay watch =
                    new ProgressDisplay(cluster, surroundings.scheduler(configuration), surroundings, out);
            Optional<Outcome> outcome = watch.untilEnd(id);
            if (outcome.isEmpty()) {
                return LOST;
            }
            cleanUp(configuration, id);
            return outcome.get() == Outcome.SUCCEEDED ? 0 : FAILED;
        } finally {
            removeHook(detached);
        }
    }

    /** The job is submitted: that nobody can say where its page is changes nothing. */
    private static String page(ClusterClient cluster, String id) {
        try {
            return cluster.find(id).map(ApplicationSummary::trackingUrl).orElse("");
        } catch (IOException unknown) {
            return "";
        }
    }

    /** An ApplicationMaster that never started could not; what happens here does not change how the job ended. */
    private void cleanUp(Configuration configuration, String id) {
        try {
            Staging staging = Staging.of(configuration);
            staging.removeTemporary(staging.directory(id));
        } catch (IOException failed) {
            err.println("The job's jar and secret may still be in its folder: " + sentence(failed));
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // The hook runs: that is what it is for.
        }
    }
}
