package io.optimus.sim;

import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.QueuePolicies;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.recording.RecordedCluster;
import io.optimus.sim.recording.RecordedJob;
import io.optimus.sim.recording.RecordingReader;
import io.optimus.sim.trace.WorkloadSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All options of an experiment. Wrong options are refused, with all problems at once. */
final class ExperimentOptions {
    /** The pause that is assumed for a job that was never resized, as in the ResourceManager. */
    private static final double ASSUMED_PAUSE_SECONDS = 1;

    @Mixin
    private WorkloadOptions workloads = new WorkloadOptions();

    @Option(
            names = "--recording",
            paramLabel = "DIR",
            description =
                    "replays what a ResourceManager recorded (yarn.scheduler.optimus.recording-folder) under the policy that ran and under those of --policy, in place of --workload and all options of the cluster")
    private @Nullable Path recording;

    @Mixin
    private PolicyOptions policies = new PolicyOptions();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private KnowledgeOptions knowledge = new KnowledgeOptions();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "repeat each simulation with the seeds 1 to N (default: 1)")
    private int seeds = 1;

    @Option(names = "--interval", paramLabel = "SECONDS", description = "time between two rounds (default: 60)")
    private double intervalSeconds = 60;

    @Option(
            names = "--rounds-on-news",
            description = "start rounds also when a job arrives or ends, or measured its speed on a new size")
    private boolean roundsOnNews;

    @Option(
            names = "--resize-cost",
            paramLabel = "SECONDS",
            description =
                    "how long a job pauses whenever its tasks change: a number (default: 30), a range such as 5-60 from which each job draws, or 'measured' where the workload has it")
    private String resizeCost = "30";

    @Option(names = "--free-start", description = "the first start of a job does not pay the resize cost")
    private boolean freeStart;

    @Option(
            names = "--node-failures",
            paramLabel = "SECONDS",
            description =
                    "mean time between two failures of a node, which returns after 10 minutes (default: no failures)")
    private double nodeFailureSeconds = Double.POSITIVE_INFINITY;

    @Option(
            names = "--stragglers",
            paramLabel = "SECONDS",
            description =
                    "mean time until a worker straggles, which halves the speed of its job for 40 s (default: never)")
    private double straggleSeconds = Double.POSITIVE_INFINITY;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "simulations at a time (default: one for each processor)")
    private int threads = Runtime.getRuntime().availableProcessors();

    private static final double NODE_DOWN_SECONDS = 600;
    /** The ApplicationMaster's {@code straggler-time}, and the start of another worker. */
    private static final double STRAGGLE_UNTIL_SECONDS = 40;

    private static final double STRAGGLE_SPEED = 0.5;

    private final List<String> problems = new ArrayList<>();
    private Optional<RecordedCluster> recorded = Optional.empty();

    /**
     * Returns the chosen experiment.
     *
     * @param wrongArguments problems that parsing the command line found
     * @throws InvalidInputException with these and all other problems
     */
    Experiment experiment(List<String> wrongArguments) throws InvalidInputException {
        problems.addAll(wrongArguments);
        range("--seeds", seeds, 1, 10_000);
        range("--interval", intervalSeconds, 1, 1e6);
        range("--threads", threads, 1, 1024);
        if (recording != null) {
            return replay(recording);
        }
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
        return experiment(sources, strategies.stream().map(QueuePolicies::of).toList(), setup, terms);
    }

    private Experiment experiment(
            List<WorkloadSource> sources,
            List<QueuePolicies> queuePolicies,
            SimulationSetup setup,
            Function<NamedStrategy, RunOptions> terms) {
        return new Experiment(
                sources,
                queuePolicies,
                policies.withLowerBound(),
                LongStream.rangeClosed(1, seeds).boxed().toList(),
                setup,
                terms,
                threads);
    }

    /** The same jobs on the same cluster, under the policy that ran and the chosen ones. */
    private Experiment replay(Path folder) throws InvalidInputException {
        List<NamedStrategy> others = policies.isEmpty() ? List.of() : policies.strategies(problems);
        Function<NamedStrategy, RunOptions> terms = knowledge.terms(problems);
        if (policies.withLowerBound()) {
            problems.add("--policy " + LowerBound.NAME
                    + " is for clusters that do not change. Remedy: leave it out where --recording is given");
        }
        Optional<RecordedCluster> read = Optional.empty();
        try {
            read = Optional.of(RecordingReader.read(folder));
        } catch (InvalidInputException invalid) {
            problems.addAll(invalid.problems());
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        RecordedCluster cluster = read.orElseThrow();
        recorded = read;
        List<QueuePolicies> all = new ArrayList<>(List.of(cluster.policies()));
        others.stream()
                .filter(policy -> !policy.name().equals(cluster.policies().name()))
                .forEach(policy -> all.add(QueuePolicies.of(policy)));
        Workload workload = new Workload(
                cluster.name(),
                cluster.jobs().stream().map(RecordedJob::simulated).toList());
        return experiment(List.of(WorkloadSource.of(cluster.name(), workload)), all, cluster.setup(), terms);
    }

    /** The recording that is replayed; empty if none is, and before {@link #experiment}. */
    Optional<RecordedCluster> recorded() {
        return recorded;
    }

    List<String> inWords() {
        if (recorded.isPresent()) {
            SimulationSetup setup = recorded.get().setup();
            return List.of(
                    "replay of the recording " + recorded.get().name(),
                    setup.nodes().size() + " nodes were there in all",
                    "a round every " + plain(setup.intervalSeconds()) + " s",
                    seeds == 1 ? "1 seed" : seeds + " seeds",
                    policies.placementInWords(),
                    knowledge.inWords(),
                    knowledge.remainingInWords());
        }
        return List.of(
                cluster.inWords(workloads.onlyBuiltin()),
                "a round every " + plain(intervalSeconds) + " s",
                "resize cost " + resizeCost + (Character.isDigit(resizeCost.charAt(0)) ? " s" : ""),
                seeds == 1 ? "1 seed" : seeds + " seeds",
                knowledge.remainingInWords(),
                policies.placementInWords(),
                knowledge.inWords());
    }

    private void range(String option, double value, double least, double most) {
        outOfRange(option, value, least, most).ifPresent(problems::add);
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
        } catch (IllegalArgumentException noNumber) {
            problems.add(
                    "--resize-cost wants a number of seconds, a range such as 5-60, or measured, got " + resizeCost);
            return Optional.empty();
        }
    }

    /** The options that a recording takes the place of. */
    static final List<String> WITHOUT_RECORDING = List.of(
            "--workload",
            "--profiles",
            "--arrivals",
            "--jobs",
            "--duration",
            "--modes",
            "--nodes",
            "--gpus-per-node",
            "--gpu-types",
            "--interval",
            "--rounds-on-news",
            "--resize-cost",
            "--free-start",
            "--node-failures",
            "--stragglers");

    /** Writes a number, without a decimal point if it is whole. */
    static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < Long.MAX_VALUE
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /** Returns a problem if an option's value is not from {@code least} to {@code most}. */
    static Optional<String> outOfRange(String option, double value, double least, double most) {
        return value >= least && value <= most
                ? Optional.empty()
                : Optional.of(option + " wants a number from " + plain(least) + " to " + plain(most) + ", got "
                        + plain(value));
    }
}
