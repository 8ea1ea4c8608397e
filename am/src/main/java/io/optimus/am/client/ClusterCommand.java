package io.optimus.am.client;

import io.optimus.am.client.cluster.ClusterCheck;
import io.optimus.am.client.cluster.ClusterClient;
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
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** What all commands share: Hadoop's options, the exit codes, and how failures are told. */
abstract class ClusterCommand implements Callable<Integer> {
    /** The cluster refused, or the job failed. */
    static final int FAILED = ExitCode.SOFTWARE;
    /** The job that was waited for may go on: YARN could not be asked any more. */
    static final int LOST = 3;
    /** Wrong options, or a wrong job file. */
    static final int WRONG = ExitCode.USAGE;

    final ClientEnvironment surroundings;
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

    ClusterCommand(ClientEnvironment surroundings, PrintWriter out, PrintWriter err) {
        this.surroundings = surroundings;
        this.out = out;
        this.err = err;
    }

    /** Does the work and returns the exit code. */
    abstract int run(Configuration configuration) throws IOException, InterruptedException, InvalidJobFileException;

    @Override
    public final Integer call() throws InterruptedException {
        try {
            return runOrReport(configuration());
        } catch (InvalidSettingsException wrong) {
            err.println(wrong.getMessage());
            return WRONG;
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
            List<FileProblem> ofCluster = wrong.demand()
                    .map(demand -> problemsOfCluster(configuration, demand))
                    .orElse(List.of());
            ofCluster.forEach(err::println);
            return count(wrong.problems().size() + ofCluster.size());
        }
    }

    /** What the cluster has against the job; nothing where it does not answer, which is said. */
    final List<FileProblem> problemsOfCluster(Configuration configuration, ClusterDemand demand) {
        try (ClusterClient cluster = surroundings.cluster(configuration)) {
            return ClusterCheck.problems(demand, cluster.newApplication().largest(), cluster.queues());
        } catch (IOException | RuntimeException unreachable) {
            err.println("Checked without the cluster, which does not answer: " + sentence(unreachable));
            return List.of();
        }
    }

    final int report(List<FileProblem> problems) {
        problems.forEach(err::println);
        return count(problems.size());
    }

    private int count(int problems) {
        err.println(problems == 1 ? "1 problem; nothing was done." : problems + " problems; nothing was done.");
        return WRONG;
    }

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
        // Resources that clients count come from the ResourceManager, so that no resource-types.xml is wanted here.
        configuration.setBoolean(YarnConfiguration.YARN_CLIENT_LOAD_RESOURCETYPES_FROM_SERVER, true);
        properties.forEach(configuration::set);
        ClientKeys.check(configuration);
        return configuration;
    }
}
