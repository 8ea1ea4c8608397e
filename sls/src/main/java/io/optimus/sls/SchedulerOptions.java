package io.optimus.sls;

import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.yarn.configuration.OptimusConfiguration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the command line: the simulated clusters, and how they are measured. */
final class SchedulerOptions {
    /** A ResourceManager with the classes of the simulators needs this much before the first node. */
    private static final int LEAST_HEAP_MB = 256;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "N",
            description = "Numbers of nodes, with four GPUs each; default: ${DEFAULT-VALUE}.")
    private List<Integer> nodes = List.of(300);

    @Option(names = "--jobs", paramLabel = "N", description = "Training jobs; default: ${DEFAULT-VALUE}.")
    private int jobs = 300;

    @Option(
            names = "--applications",
            paramLabel = "N",
            description =
                    "Ordinary applications at a time, each with four tasks of 2 to 8 s; default: ${DEFAULT-VALUE}.")
    private int applications = 1000;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Measuring time of each run; default: ${DEFAULT-VALUE}.")
    private int seconds = 60;

    @Option(
            names = "--warm-up-seconds",
            paramLabel = "S",
            description = "Time before it, in which the applications start; default: ${DEFAULT-VALUE}.")
    private int warmUpSeconds = 60;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Runs of each scheduler, in turns, each in a fresh JVM; default: ${DEFAULT-VALUE}.")
    private int repetitions = 3;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description = "Allocation policy of OptimusScheduler; default: ${DEFAULT-VALUE}.")
    private String policy = "marginal-goodput";

    @Option(
            names = "--heap-mb",
            paramLabel = "MB",
            description = "Largest heap of each JVM; default: ${DEFAULT-VALUE}.")
    private int heapMb = 4096;

    @Option(
            names = "--most-ratio",
            paramLabel = "X",
            description =
                    "How many times as much as CapacityScheduler OptimusScheduler may take, of the time of allocate and"
                            + " of the event thread; default: ${DEFAULT-VALUE}.")
    private double mostRatio = 1.1;

    @Option(names = "--out", paramLabel = "FILE", description = "JSON file for the results; default: none.")
    private @Nullable Path out;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            required = true,
            description = "Folder for settings, logs and results of single runs.")
    private Path folder = Path.of("");

    /**
     * Checks the options.
     *
     * @throws ParameterException if options are invalid; the message names all of them
     */
    void check() {
        List<String> problems = new ArrayList<>();
        nodes.forEach(count -> atLeast("--nodes", count, 1, problems));
        atLeast("--jobs", jobs, 0, problems);
        atLeast("--applications", applications, 0, problems);
        atLeast("--seconds", seconds, 1, problems);
        atLeast("--warm-up-seconds", warmUpSeconds, 1, problems);
        atLeast("--repetitions", repetitions, 1, problems);
        atLeast("--heap-mb", heapMb, LEAST_HEAP_MB, problems);
        checkPolicy(problems);
        if (!(mostRatio > 0)) {
            problems.add("--most-ratio is " + mostRatio + ". Remedy: give a number above 0");
        }
        if (!problems.isEmpty()) {
            throw new ParameterException(command.commandLine(), String.join("\n", problems));
        }
    }

    /** As the ResourceManager would, but before the first of them has run for minutes. */
    private void checkPolicy(List<String> problems) {
        Configuration conf = new Configuration(false);
        conf.set(ClusterConfiguration.POLICY, policy);
        try {
            OptimusConfiguration.read(conf);
        } catch (InvalidSettingsException e) {
            problems.add("--policy: " + e.getMessage());
        }
    }

    private static void atLeast(String option, int value, int least, List<String> problems) {
        if (value < least) {
            problems.add(option + " is " + value + ". Remedy: give a whole number of " + least + " or more");
        }
    }

    List<Workload> workloads() {
        return nodes.stream()
                .map(count -> new Workload(count, jobs, applications, policy, warmUpSeconds, seconds))
                .toList();
    }

    int repetitions() {
        return repetitions;
    }

    double mostRatio() {
        return mostRatio;
    }

    SideProcess processes() {
        return new SideProcess(folder.toAbsolutePath(), heapMb);
    }

    @Nullable
    Path out() {
        return out;
    }
}
