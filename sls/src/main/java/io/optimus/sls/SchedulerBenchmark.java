package io.optimus.sls;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Measures both schedulers on simulated clusters, in turns, and prints how they compare. */
@Command(
        name = "benchmark --suite scheduler",
        mixinStandardHelpOptions = true,
        description = "Measures OptimusScheduler and CapacityScheduler in a ResourceManager with simulated nodes and"
                + " applications; exits 1 where OptimusScheduler takes too many times as much, or where the"
                + " machine could not follow.")
public final class SchedulerBenchmark implements Callable<Integer> {
    private static final String KEPT = "KEPT";
    private static final int NOT_KEPT = 1;
    private static final int FAILED = 3;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    @Mixin
    private final SchedulerOptions options = new SchedulerOptions();

    private SchedulerBenchmark() {}

    static CommandLine commandLine() {
        return new CommandLine(new SchedulerBenchmark())
                .setOverwrittenOptionsAllowed(true)
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    command.getErr().println(exception.getMessage());
                    return FAILED;
                });
    }

    /** Exits 1 if a ratio is exceeded or unclear, 2 if the command line is wrong, 3 if a run fails, else 0. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.check();
        List<Comparison> comparisons = new ArrayList<>();
        for (Workload workload : options.workloads()) {
            Comparison comparison = compare(workload);
            comparisons.add(comparison);
            new ComparisonTable(out).print(comparison);
        }
        Path file = options.out();
        if (file != null) {
            new ComparisonFile().write(file, comparisons);
        }
        return report(comparisons);
    }

    private Comparison compare(Workload workload) throws IOException, InterruptedException {
        SideProcess processes = options.processes();
        Comparison comparison = new Comparison(workload);
        for (int repetition = 1; repetition <= options.repetitions(); repetition++) {
            for (Side side : Side.values()) {
                comparison.add(side, processes.run(new RunSettings(side, workload), repetition));
            }
        }
        return comparison;
    }

    private int report(List<Comparison> comparisons) {
        out.println();
        boolean kept = true;
        for (Comparison comparison : comparisons) {
            for (Figure figure : Figure.LIMITED) {
                String verdict = verdict(comparison, figure);
                kept &= verdict.equals(KEPT);
                out.printf(
                        Locale.ROOT,
                        "%s: %d nodes, %s: ours is %.2f times stock, allowed are %.2f%n",
                        verdict,
                        comparison.workload().nodes(),
                        figure.words(),
                        comparison.ratio(figure),
                        options.mostRatio());
            }
        }
        return kept ? 0 : NOT_KEPT;
    }

    private String verdict(Comparison comparison, Figure figure) {
        if (!comparison.machineFollowed()) {
            return "UNCLEAR, AS THE MACHINE COULD NOT FOLLOW";
        }
        return comparison.isWithin(figure, options.mostRatio()) ? KEPT : "TOO MUCH";
    }
}
