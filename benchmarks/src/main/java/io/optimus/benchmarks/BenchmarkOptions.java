package io.optimus.benchmarks;

import io.optimus.model.plan.Strategies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the command line: what to measure, and the thresholds to compare with. */
final class BenchmarkOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(names = "--policy", split = ",", paramLabel = "NAME", description = "Only these policies; default: all.")
    private List<String> policies = Strategies.names();

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "N",
            description = "Numbers of jobs, each on the largest number of nodes; default: ${DEFAULT-VALUE}.")
    private List<Integer> jobs = List.of(100, 1000, 4000);

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "N",
            description = "Numbers of nodes, each for the largest number of jobs; default: ${DEFAULT-VALUE}.")
    private List<Integer> nodes = List.of(64, 1000, 16_000);

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "Measuring time of each benchmark, after a warm-up of the same length (5 s at least for a policy's first);"
                            + " default: ${DEFAULT-VALUE}.")
    private int seconds = 1;

    @Option(
            names = "--thresholds",
            paramLabel = "FILE",
            description = "CSV file with thresholds; without it nothing is checked.")
    private @Nullable Path thresholds;

    /**
     * Checks the options and reads the thresholds.
     *
     * @throws ParameterException if options are invalid; the message names all of them
     */
    Thresholds checked() {
        List<String> problems = new ArrayList<>();
        for (String policy : policies) {
            if (!Strategies.names().contains(policy)) {
                problems.add("There is no policy " + policy + ". Remedy: name one of "
                        + String.join(", ", Strategies.names()));
            }
        }
        jobs.forEach(count -> positive("--jobs", count, problems));
        nodes.forEach(count -> positive("--nodes", count, problems));
        positive("--seconds", seconds, problems);
        Thresholds limits = limits(problems);
        if (!problems.isEmpty()) {
            throw new ParameterException(command.commandLine(), String.join("\n", problems));
        }
        return limits;
    }

    private static void positive(String option, int value, List<String> problems) {
        if (value < 1) {
            problems.add(option + " is " + value + ". Remedy: give a whole number of 1 or more");
        }
    }

    private Thresholds limits(List<String> problems) {
        if (thresholds != null) {
            try {
                return Thresholds.read(thresholds);
            } catch (IOException e) {
                problems.add("--thresholds " + thresholds + " cannot be read ("
                        + e.getClass().getSimpleName() + "). Remedy: name a CSV file");
            } catch (IllegalArgumentException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return new Thresholds(List.of());
    }

    List<String> policies() {
        return policies;
    }

    List<Scale> scales() {
        return Scale.of(jobs, nodes);
    }

    int seconds() {
        return seconds;
    }
}
