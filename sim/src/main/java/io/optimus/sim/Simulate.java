package io.optimus.sim;

import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.report.ResultFiles;
import io.optimus.sim.report.ResultsTable;
import io.optimus.sim.report.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code simulate}: runs experiments in virtual time and writes the results. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        version = "Optimus for YARN",
        sortOptions = false,
        usageHelpWidth = 110,
        description =
                "Simulates training jobs in virtual time, scheduled by the same policies as in the ResourceManager.",
        footer = {
            "",
            "Examples:",
            "  simulate --policy optimus --seeds 3",
            "  simulate --policy optimus --knowledge exact --speed-error 0.2 --arrivals google --out target/google",
            "  simulate --recording /var/log/hadoop-yarn/optimus-rounds --policy drf,tiresias",
            "  simulate --workload jobs-1.csv jobs-2.csv --profiles profiles --policy optimus --threads 4",
            "",
            "Writes results.json, results.csv, jobs.csv, errors.csv and report.html, and replay.csv for a recording. The same seed gives the same bytes, except",
            "for decisionMillis in results.json. Exit: 0 done, 1 failed, 2 bad input."
        })
public final class Simulate implements Callable<Integer> {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    @Mixin
    private ExperimentOptions choices = new ExperimentOptions();

    @Option(names = "--out", paramLabel = "DIR", description = "folder for the results (default: target/simulation)")
    private Path out = Path.of("target", "simulation");

    @Option(names = "--quiet", description = "no progress bar")
    private boolean quiet;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    /** Runs the command with other streams; returns its exit code. */
    public static int run(PrintWriter output, PrintWriter errors, String... arguments) {
        return commandLine().setOut(output).setErr(errors).execute(arguments);
    }

    /** Returns a parser that collects wrong arguments, so that all problems are reported at once. */
    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new Simulate());
        commandLine.getCommandSpec().parser().collectErrors(true);
        return commandLine;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter errors = spec.commandLine().getErr();
        try {
            Experiment experiment = choices.experiment(wrongArguments());
            ResultFiles.prepare(out);
            long began = System.nanoTime();
            List<RunResult> results = simulate(experiment);
            double seconds = (System.nanoTime() - began) / NANOS_PER_SECOND;
            ResultFiles.write(out, choices.inWords(), results);
            if (choices.recorded().isPresent()) {
                ReplayTable replay = ReplayTable.of(choices.recorded().get(), results);
                Files.writeString(out.resolve("replay.csv"), replay.csv());
                replay.lines().forEach(spec.commandLine().getOut()::println);
            }
            show(results, seconds);
            return CommandLine.ExitCode.OK;
        } catch (InvalidInputException bad) {
            bad.problems().forEach(problem -> errors.println("simulate: " + problem));
            errors.println("Try: simulate --help");
            return CommandLine.ExitCode.USAGE;
        } catch (IllegalArgumentException doesNotFit) {
            errors.println("simulate: " + doesNotFit.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (IOException failed) {
            errors.println("simulate: cannot write the results to " + out + ": " + failed);
            return CommandLine.ExitCode.SOFTWARE;
        } catch (IllegalStateException failed) {
            errors.println("simulate: " + failed.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        } catch (OutOfMemoryError full) {
            errors.println(
                    "simulate: out of memory. Remedy: give Java more (SIMULATE_JAVA_OPTS=-Xmx8g scripts/simulate),"
                            + " or set fewer --threads");
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private List<String> wrongArguments() {
        CommandLine.ParseResult given = spec.commandLine().getParseResult();
        List<String> wrong = new ArrayList<>();
        given.errors().forEach(error -> wrong.add(error.getMessage()));
        if (given.hasMatchedOption("--recording")) {
            ExperimentOptions.WITHOUT_RECORDING.stream()
                    .filter(given::hasMatchedOption)
                    .forEach(option ->
                            wrong.add(option + " has no effect on a recording, which has it. Remedy: leave it out"));
        }
        return wrong;
    }

    private List<RunResult> simulate(Experiment experiment) throws InterruptedException {
        if (quiet) {
            return experiment.run(() -> {
                // No progress bar.
            });
        }
        try (ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("jobs")
                .setInitialMax(experiment.jobs())
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(500)
                .build()) {
            return experiment.run(bar::step);
        }
    }

    private void show(List<RunResult> results, double seconds) {
        PrintWriter output = spec.commandLine().getOut();
        ResultsTable.of(results).forEach(output::println);
        long events = results.stream().mapToLong(RunResult::events).sum();
        output.println(String.format(
                Locale.ROOT,
                "%,d events in %.1f s, %.0f µs an event; report: %s",
                events,
                seconds,
                seconds * MICROS_PER_SECOND / Math.max(1, events),
                out.resolve("report.html")));
        output.flush();
    }
}
