package io.optimus.am.client;

import io.optimus.am.client.cluster.ClusterCheck;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterFileCheck;
import io.optimus.am.client.submission.ResumeCheck;
import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.ClusterDemand;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.yaml.FileProblem;
import io.optimus.protocol.setting.InvalidSettingsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** What all commands share: Hadoop's options, the exit codes, and how failures are reported. */
@Command(mixinStandardHelpOptions = true, versionProvider = ClusterCommand.Version.class)
abstract class ClusterCommand implements Callable<Integer> {
    /** Exit code: the cluster refused, or the job failed. */
    static final int FAILED = ExitCode.SOFTWARE;
    /** Exit code: {@code --wait} ended before the job, because YARN no longer answers about it. */
    static final int LOST = 3;
    /** Exit code: invalid options, or an invalid job file. */
    static final int INVALID = ExitCode.USAGE;

    /** The version of the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = ClusterCommand.class.getPackage().getImplementationVersion();
            return new String[] {"Optimus for YARN " + (version == null ? "of a build without a jar" : version)};
        }
    }

    final ClientEnvironment environment;
    final PrintWriter out;
    final PrintWriter err;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "A property of the Hadoop configuration; may be given several times.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(
            names = {"--conf", "-conf"},
            paramLabel = "FILE",
            description = "A file of such properties, in Hadoop's XML; may be given several times.")
    private List<Path> files = new ArrayList<>();

    ClusterCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** Runs the command and returns the exit code. */
    abstract int run(Configuration configuration) throws IOException, InterruptedException, InvalidJobFileException;

    @Override
    public final Integer call() throws InterruptedException {
        try {
            return runOrReport(configuration());
        } catch (InvalidSettingsException wrong) {
            err.println(wrong.getMessage());
            return INVALID;
        } catch (IOException | RuntimeException failed) {
            err.println("Failed: " + sentence(failed));
            return FAILED;
        } finally {
            out.flush();
            err.flush();
        }
    }

    private int runOrReport(Configuration configuration) throws IOException, InterruptedException {
        try {
            return run(configuration);
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
    final List<FileProblem> problemsOfCluster(Configuration configuration, ClusterDemand demand) {
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

    final int report(List<FileProblem> problems) {
        problems.forEach(err::println);
        return reportCount(problems.size());
    }

    private int reportCount(int problems) {
        err.println(problems == 1 ? "1 problem; nothing was done." : problems + " problems; nothing was done.");
        return INVALID;
    }

    /** The message of {@code failed}, or its class if it has none. */
    static String sentence(Throwable failed) {
        return failed.getMessage() == null || failed.getMessage().isBlank() ? failed.toString() : failed.getMessage();
    }

    private Configuration configuration() throws IOException {
        Configuration configuration = new YarnConfiguration();
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new IOException("Cannot read the configuration " + file);
            }
            configuration.addResource(
                    new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()));
        }
        // Takes the resource types from the ResourceManager, so that the client needs no resource-types.xml.
        configuration.setBoolean(YarnConfiguration.YARN_CLIENT_LOAD_RESOURCETYPES_FROM_SERVER, true);
        properties.forEach(configuration::set);
        ClientKeys.check(configuration);
        return configuration;
    }
}
