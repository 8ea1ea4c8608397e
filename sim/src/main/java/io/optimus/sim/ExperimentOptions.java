package io.optimus.sim;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.trace.WorkloadSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the command line chooses; refused as a whole, with every problem. */
final class ExperimentOptions {
    /** What a job that was never resized is taken to pause for, as in the ResourceManager. */
    private static final double ASSUMED_PAUSE_SECONDS = 1;

    @Mixin
    private WorkloadOptions workloads = new WorkloadOptions();

    @Mixin
    private PolicyOptions policies = new PolicyOptions();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private KnowledgeOptions knowledge = new KnowledgeOptions();

    @Option(names = "--seeds", paramLabel = "N", description = "runs of each, with the seeds 1 to N (default: 1)")
    private int seeds = 1;

    @Option(names = "--interval", paramLabel = "SECONDS", description = "between two rounds (default: 60)")
    private double intervalSeconds = 60;

    @Option(
            names = "--rounds-on-news",
            description = "rounds also when jobs arrive or end, or a speed was measured on a new size")
    private boolean roundsOnNews;

    @Option(
            names = "--resize-cost",
            paramLabel = "SECONDS",
            description =
                    "a job stands still so long whenever its tasks change, on its new ones: a number (default: 30), a range as in 5-60 of which each job draws one, or 'measured' where the workload has it")
    private String resizeCost = "30";

    @Option(names = "--free-start", description = "the first start of a job does not pay the resize cost")
    private boolean freeStart;

    @Option(
            names = "--node-failures",
            paramLabel = "SECONDS",
            description =
                    "mean time between two failures of a node, which is back after 10 minutes (default: none fails)")
    private double nodeFailureSeconds = Double.POSITIVE_INFINITY;

    @Option(
            names = "--stragglers",
            paramLabel = "SECONDS",
            description =
                    "mean time between two stragglers of a worker, which halve its job's speed for 5 minutes (default: none)")
    private double straggleSeconds = Double.POSITIVE_INFINITY;

    @Option(names = "--threads", paramLabel = "N", description = "runs at a time (default: one for each processor)")
    private int threads = Runtime.getRuntime().availableProcessors();

    private static final double NODE_DOWN_SECONDS = 600;
    private static final double STRAGGLE_UNTIL_SECONDS = 300;
    private static final double STRAGGLE_SPEED = 0.5;

    private final List<String> problems = new ArrayList<>();

    /**
     * The experiment that was chosen.
     *
     * @param wrongArguments what is wrong already
     */
    Experiment experiment(List<String> wrongArguments) throws InvalidInputException {
        problems.addAll(wrongArguments);
        range("--seeds", seeds, 1, 10_000);
        range("--interval", intervalSeconds, 1, 1e6);
        range("--threads", threads, 1, 1024);
        range("--node-failures", nodeFailureSeconds, 1, Double.POSITIVE_INFINITY);
        range("--stragglers", straggleSeconds, 1, Double.POSITIVE_INFINITY);
        ClusterOptions.Cluster chosen = cluster.cluster(workloads.onlyBuiltin(), problems);
        List<NamedStrategy> strategies = policies.strategies(problems);
        Optional<ResizePause> pause = pause();
        Function<NamedStrategy, RunOptions> terms = knowledge.terms(problems);
        List<WorkloadSource> sources = workloads.sources(chosen.nodes(), chosen.gpusPerNode(), problems);
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        SimulationSetup setup = new SimulationSetup(
                SimulationSetup.nodes(chosen.typesOfNodes(), chosen.capacity()),
                new GpuTypes(chosen.speeds()),
                intervalSeconds,
                roundsOnNews,
                pause.orElseThrow(),
                new Faults(
                        nodeFailureSeconds,
                        NODE_DOWN_SECONDS,
                        straggleSeconds,
                        STRAGGLE_UNTIL_SECONDS,
                        STRAGGLE_SPEED));
        return new Experiment(
                sources,
                strategies,
                policies.withLowerBound(),
                LongStream.rangeClosed(1, seeds).boxed().toList(),
                setup,
                terms,
                threads);
    }

    /** What was chosen, for the report. */
    List<String> inWords() {
        return List.of(
                cluster.inWords(workloads.onlyBuiltin()),
                "a round every " + OptionRanges.plain(intervalSeconds) + " s",
                "resize cost " + resizeCost + (Character.isDigit(resizeCost.charAt(0)) ? " s" : ""),
                seeds == 1 ? "1 seed" : seeds + " seeds",
                knowledge.remainingInWords(),
                policies.placementInWords(),
                knowledge.inWords());
    }

    private void range(String option, double value, double least, double most) {
        OptionRanges.outside(option, value, least, most).ifPresent(problems::add);
    }

    private Optional<ResizePause> pause() {
        if (resizeCost.equals("measured")) {
            return Optional.of(new ResizePause(ASSUMED_PAUSE_SECONDS, ASSUMED_PAUSE_SECONDS, true, !freeStart));
        }
        try {
            String[] ends = resizeCost.split("-", 2);
            double least = Double.parseDouble(ends[0]);
            double most = ends.length == 1 ? least : Double.parseDouble(ends[1]);
            range("--resize-cost", most, 0, 1e6);
            return Optional.of(new ResizePause(least, most, false, !freeStart));
        } catch (IllegalArgumentException none) {
            problems.add("--resize-cost is a number of seconds, a range as in 5-60, or measured, got " + resizeCost);
            return Optional.empty();
        }
    }
}
