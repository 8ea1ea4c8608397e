package io.optimus.benchmarks;

import io.optimus.benchmarks.BenchmarkResult.Subject;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.Strategies;
import io.optimus.model.plan.Strategy;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the benchmarks, prints their results, and compares them with the thresholds. */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        description =
                "Measures fits, allocation and placement; exits 1 where something takes longer than its threshold.")
public final class Suite implements Callable<Integer> {
    private static final int EXCEEDED = 1;
    /** The name that JMH's garbage collection profiler gives to the bytes that a call allocates. */
    private static final String BYTES = "gc.alloc.rate.norm";

    private static final double MEGABYTE = 1e6;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String SEARCH = "pollux";

    /** On busy processors, compiling a policy's code takes this long; until then, calls take several times as long. */
    private static final int FIRST_WARM_UP_SECONDS = 5;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    @Mixin
    private final BenchmarkOptions settings = new BenchmarkOptions();

    private Suite() {}

    /** The script names a file of thresholds; a file that the user names after it replaces this one. */
    static CommandLine commandLine() {
        return new CommandLine(new Suite()).setOverwrittenOptionsAllowed(true);
    }

    /** Exits 1 if a threshold is exceeded, 2 if the command line is wrong, else 0. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    @Override
    public Integer call() throws RunnerException {
        Thresholds limits = settings.checked();
        List<BenchmarkResult> measured = new ArrayList<>(run(options(FittingBenchmark.class), calibrationMillis()));
        for (String policy : settings.policies()) {
            double calibration = calibrationMillis();
            int warmUpSeconds = Math.max(FIRST_WARM_UP_SECONDS, settings.seconds());
            for (Scale scale : scales(policy)) {
                measured.addAll(run(
                        options(PlanningBenchmark.class)
                                .warmupIterations(warmUpSeconds)
                                .param("policy", policy)
                                .param("jobs", String.valueOf(scale.jobs()))
                                .param("nodes", String.valueOf(scale.nodes()))
                                .param("round", "first", "steady"),
                        calibration));
                warmUpSeconds = settings.seconds();
            }
        }
        measured.sort(null);
        new ResultTable(out).print(measured);
        new PublishedComparison(measured, out).print();
        printRetained();
        List<String> exceeded = limits.exceededBy(measured);
        exceeded.forEach(line -> out.println("TOO SLOW: " + line));
        return exceeded.isEmpty() ? 0 : EXCEEDED;
    }

    /** Measured again for each policy, since the speed of a machine changes with time. */
    private double calibrationMillis() throws RunnerException {
        return millis(new Runner(options(CalibrationBenchmark.class).build()).runSingle());
    }

    /** A genetic search over all nodes is not meant for large clusters; it is compared with others on the small one. */
    private List<Scale> scales(String policy) {
        if (policy.equals(SEARCH)) {
            return List.of(PublishedComparison.POLLUX);
        }
        List<Scale> scales = settings.scales();
        if (Strategies.named(policy).batch() == Batch.ADAPTIVE
                && settings.policies().contains(SEARCH)) {
            scales.add(PublishedComparison.POLLUX);
        }
        return scales;
    }

    private void printRetained() {
        for (Scale scale : settings.scales()) {
            Strategy strategy = Strategies.named("optimus").bySeed().apply(1);
            long bytes = RetainedMemory.bytes(
                    () -> BusyCluster.of(scale.jobs(), scale.nodes()).running(strategy));
            out.printf(Locale.ROOT, "a snapshot of %s keeps %.1f MB%n", scale.inWords(), bytes / MEGABYTE);
        }
    }

    private ChainedOptionsBuilder options(Class<?> benchmarks) {
        return new OptionsBuilder()
                .include(benchmarks.getName() + "\\.")
                // Benchmarks run in this JVM, because starting another one takes longer than most of them.
                .forks(0)
                .threads(1)
                .warmupIterations(settings.seconds())
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(settings.seconds())
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static List<BenchmarkResult> run(ChainedOptionsBuilder options, double calibrationMillis)
            throws RunnerException {
        return new Runner(options.build())
                .run().stream()
                        .map(result -> measured(result, calibrationMillis))
                        .toList();
    }

    private static BenchmarkResult measured(RunResult result, double calibrationMillis) {
        BenchmarkParams parameters = result.getParams();
        Subject subject = new Subject(
                result.getPrimaryResult().getLabel(),
                text(parameters, "policy", ""),
                text(parameters, "round", ""),
                Integer.parseInt(text(parameters, "jobs", "0")),
                Integer.parseInt(text(parameters, "nodes", "0")));
        return new BenchmarkResult(subject, millis(result), calibrationMillis, score(result, BYTES));
    }

    private static double millis(RunResult result) {
        return score(result, "nanos") / score(result, "calls") / NANOS_PER_MILLI;
    }

    private static double score(RunResult result, String secondary) {
        return Objects.requireNonNull(result.getSecondaryResults().get(secondary), secondary)
                .getScore();
    }

    private static String text(BenchmarkParams parameters, String name, String otherwise) {
        String value = parameters.getParam(name);
        return value == null ? otherwise : value;
    }
}
