package io.optimus.benchmarks;

import io.optimus.model.plan.Strategies;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import picocli.CommandLine.Option;

/** Runs the benchmarks, prints what came of them, and holds them against the thresholds. */
@Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        description =
                "Measures fits, allocation and placement; exits 1 where something takes longer than its threshold.")
public final class Suite implements Callable<Integer> {
    private static final int EXCEEDED = 1;
    /** What JMH's garbage collection profiler calls the bytes that a call allocates. */
    private static final String BYTES = "gc.alloc.rate.norm";

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    @Option(names = "--policy", split = ",", paramLabel = "NAME", description = "Only these policies; default: all.")
    private List<String> policies = Strategies.names();

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "N",
            description = "Numbers of jobs; default: ${DEFAULT-VALUE}.")
    private List<Integer> jobs = List.of(100, 1000, 4000);

    @Option(
            names = "--nodes",
            split = ",",
            paramLabel = "N",
            description = "Numbers of nodes; default: ${DEFAULT-VALUE}.")
    private List<Integer> nodes = List.of(64, 1000, 16_000);

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Measuring time of each benchmark, after as long a warm-up; default: ${DEFAULT-VALUE}.")
    private int seconds = 3;

    @Option(names = "--thresholds", paramLabel = "FILE", description = "CSV file; without it nothing is checked.")
    private @Nullable Path thresholds;

    private Suite() {}

    /** Exits 0, 1 where a threshold is exceeded, 2 where the command line is wrong. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Suite()).execute(arguments));
    }

    @Override
    public Integer call() throws RunnerException, IOException {
        policies.forEach(Strategies::named);
        Thresholds limits = thresholds == null ? new Thresholds(List.of()) : Thresholds.read(thresholds);
        double calibration = run(options(Calibration.class)).get(0).millis();
        List<Measured> measured = new ArrayList<>(run(options(Fitting.class)));
        for (String policy : policies) {
            measured.addAll(run(options(Planning.class)
                    .param("policy", policy)
                    .param("jobs", texts(jobs))
                    .param("nodes", texts(nodes))));
        }
        measured.sort(null);
        new Table(out).print(measured, calibration);
        List<String> exceeded = limits.exceededBy(measured, calibration);
        exceeded.forEach(line -> out.println("TOO SLOW: " + line));
        return exceeded.isEmpty() ? 0 : EXCEEDED;
    }

    private static String[] texts(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).toArray(String[]::new);
    }

    private ChainedOptionsBuilder options(Class<?> benchmarks) {
        return new OptionsBuilder()
                .include(benchmarks.getName() + "\\.")
                .forks(1)
                .threads(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.milliseconds(TimeUnit.SECONDS.toMillis(seconds) / 2))
                .measurementIterations(seconds)
                .measurementTime(TimeValue.seconds(1))
                .jvmArgs("-Xmx4g")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private List<Measured> run(ChainedOptionsBuilder options) throws RunnerException {
        Collection<RunResult> results = new Runner(options.build()).run();
        return results.stream().map(Suite::measured).toList();
    }

    private static Measured measured(RunResult result) {
        BenchmarkParams parameters = result.getParams();
        return new Measured(
                result.getPrimaryResult().getLabel(),
                text(parameters, "policy", ""),
                Integer.parseInt(text(parameters, "jobs", "0")),
                Integer.parseInt(text(parameters, "nodes", "0")),
                result.getPrimaryResult().getScore(),
                Objects.requireNonNull(result.getSecondaryResults().get(BYTES), BYTES)
                        .getScore());
    }

    private static String text(BenchmarkParams parameters, String name, String otherwise) {
        String value = parameters.getParam(name);
        return value == null ? otherwise : value;
    }
}
