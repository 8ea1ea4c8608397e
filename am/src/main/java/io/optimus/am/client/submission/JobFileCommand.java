package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ClusterCheck;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterFileCheck;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import io.optimus.am.job.ClusterDemand;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.yaml.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;

/** A command that reads a job file: it reports all problems of the file and of the cluster at once. */
@Command(
        exitCodeList = {
            "0:success",
            "1:the cluster refused or does not answer",
            "2:invalid options or job file; nothing was done"
        })
public abstract class JobFileCommand extends ClusterCommand {
    protected JobFileCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    /** Runs the command and returns the exit code. */
    protected abstract int runWithFile(Configuration configuration)
            throws IOException, InterruptedException, InvalidJobFileException;

    @Override
    protected final int run(Configuration configuration) throws IOException, InterruptedException {
        try {
            return runWithFile(configuration);
        } catch (InvalidJobFileException wrong) {
            wrong.problems().forEach(err::println);
            err.flush();
            List<FileProblem> further = wrong.demand()
                    .map(demand -> problemsOfCluster(configuration, demand))
                    .orElse(List.of());
            further.forEach(err::println);
            return reportCount(wrong.problems().size() + further.size());
        }
    }

    /** The reasons why the cluster would refuse the job. If it does not answer, prints that and returns none. */
    protected final List<FileProblem> problemsOfCluster(Configuration configuration, ClusterDemand demand) {
        try (ClusterClient cluster = environment.cluster(configuration)) {
            List<FileProblem> problems = new ArrayList<>(
                    ClusterCheck.problems(demand, cluster.newApplication().largest(), cluster.queues()));
            problems.addAll(ClusterFileCheck.problems(demand, configuration));
            problems.addAll(ResumeCheck.problems(demand, configuration, cluster));
            return problems;
        } catch (IOException | RuntimeException unreachable) {
            err.println("Checked without the cluster, because it does not answer: " + sentence(unreachable));
            return List.of();
        }
    }

    /** Prints the problems and returns the exit code. */
    protected final int report(List<FileProblem> problems) {
        problems.forEach(err::println);
        return reportCount(problems.size());
    }

    private int reportCount(int problems) {
        err.println(problems == 1 ? "1 problem; nothing was done." : problems + " problems; nothing was done.");
        return INVALID;
    }
}
