package io.optimus.sim;

import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.Setup;
import io.optimus.sim.knowledge.Remaining;
import io.optimus.sim.knowledge.Terms;
import io.optimus.sim.trace.ProblemsException;
import io.optimus.sim.trace.WorkloadSource;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the command line chooses; refused as a whole, with every problem. */
final class Choices {
    /** Of a node for each of its GPUs: 16 cores and 48 GiB beside 2 GPUs, as the authors of Optimus published it. */
    private static final int VCORES_PER_GPU = 8;

    private static final int MEMORY_MB_PER_GPU = 24_576;
    private static final int MOST_NODES = 100_000;
    private static final int MOST_GPUS = 64;

    private static final String DECLARED = "declared";

    private static final int NODES = 16;
    private static final int GPUS_PER_NODE = 4;

    /** What a job that was never resized is taken to pause for, as in the ResourceManager. */
    private static final double ASSUMED_PAUSE_SECONDS = 1;

    @Mixin
    private WorkloadChoices workloads = new WorkloadChoices();

    @Mixin
    private PolicyChoices policies = new PolicyChoices();

    @Option(names = "--seeds", paramLabel = "N", description = "runs of each, with the seeds 1 to N (default: 1)")
    private int seeds = 1;

    @Option(names = "--nodes", paramLabel = "N", description = "nodes of the cluster (default: 16; 13 for 'builtin')")
    private @Nullable Integer nodes;

    @Option(names = "--gpus-per-node", paramLabel = "N", description = "GPUs of a node (default: 4; 2 for 'builtin')")
    private @Nullable Integer gpusPerNode;

    @Option(
            names = "--gpu-types",
            split = ",",
            paramLabel = "COUNTxTYPE=SPEED",
            description =
                    "nodes by the type of their GPUs, in place of --nodes, such as 8xv100=1,8xa100=2.5 for eight nodes with a type on which jobs do their own speed, and eight where they are 2.5 times as fast")
    private List<String> gpuTypes = List.of();

    @Option(names = "--interval", paramLabel = "SECONDS", description = "between two rounds (default: 60)")
    private double intervalSeconds = 60;

    @Option(names = "--rounds-on-news", description = "rounds also when jobs arrive or end")
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
            names = "--knowledge",
            paramLabel = "KIND",
            description =
                    "what policies know of jobs: 'learnt' from their reports or 'told' the truth (default: what each policy is made for)")
    private @Nullable String knowledge;

    @Option(
            names = "--remaining",
            paramLabel = "KIND",
            description =
                    "from what policies that learn know how much of a job remains: 'declared' epochs, and its loss curve where none are (default), the 'curve' alone, or 'unknown'")
    private @Nullable String remaining;

    @Option(
            names = "--declared-sigma",
            paramLabel = "SIGMA",
            description =
                    "owners declare epochs wrong, by a log-normal factor of this deviation, drawn once for each job (default: 0)")
    private double declaredSigma;

    @Option(
            names = "--speed-error",
            paramLabel = "PART",
            description = "relative error of told speeds, such as 0.2 (default: 0)")
    private double speedError;

    @Option(
            names = "--remaining-error",
            paramLabel = "PART",
            description = "relative error of told remaining steps (default: 0)")
    private double remainingError;

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
    Experiment experiment(List<String> wrongArguments) throws ProblemsException {
        problems.addAll(wrongArguments);
        range("--seeds", seeds, 1, 10_000);
        range("--nodes", nodes(), 1, MOST_NODES);
        range("--gpus-per-node", gpusPerNode(), 1, MOST_GPUS);
        range("--interval", intervalSeconds, 1, 1e6);
        range("--threads", threads, 1, 1024);
        range("--node-failures", nodeFailureSeconds, 1, Double.POSITIVE_INFINITY);
        range("--stragglers", straggleSeconds, 1, Double.POSITIVE_INFINITY);
        range("--speed-error", speedError, 0, 0.99);
        range("--remaining-error", remainingError, 0, 0.99);
        range("--declared-sigma", declaredSigma, 0, 10);
        refuseErrorsOfWhatIsLearnt();
        List<NodesOfType> types = nodesOfTypes();
        List<NamedStrategy> strategies = policies.strategies(problems);
        Optional<ResizePause> pause = pause();
        Optional<Foresight> foresight = foresight();
        Optional<Remaining> known = remaining();
        List<WorkloadSource> sources = workloads.sources(nodes(), gpusPerNode(), problems);
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
        Setup setup = new Setup(
                Setup.nodes(typesOfNodes(types), capacity()),
                new GpuTypes(speeds(types)),
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
                strategy -> new Terms(
                        strategy.foresight() == Foresight.TOLD ? Foresight.TOLD : foresight.orElse(Foresight.LEARNT),
                        strategy.batch(),
                        known.orElseThrow(),
                        speedError,
                        remainingError),
                threads);
    }

    /** What was chosen, for the report. */
    List<String> inWords() {
        return List.of(
                nodes() + " nodes of " + gpusPerNode() + " GPUs"
                        + (gpuTypes.isEmpty() ? "" : ": " + String.join(", ", gpuTypes)),
                "a round every " + ResultNumbers.plain(intervalSeconds) + " s",
                "resize cost " + resizeCost + (Character.isDigit(resizeCost.charAt(0)) ? " s" : ""),
                seeds == 1 ? "1 seed" : seeds + " seeds",
                "remaining work " + (remaining == null ? DECLARED : remaining)
                        + (declaredSigma > 0 ? ", wrong by a log-normal factor of sigma " + declaredSigma : ""),
                policies.placementInWords(),
                "knowledge " + (knowledge == null ? "as each policy is made for" : knowledge)
                        + (speedError + remainingError > 0
                                ? ", speeds off by " + speedError + ", remaining steps by " + remainingError
                                : ""));
    }

    private List<NodesOfType> nodesOfTypes() {
        List<NodesOfType> all = new ArrayList<>();
        for (String text : gpuTypes) {
            Optional<NodesOfType> some = NodesOfType.parse(text);
            some.ifPresentOrElse(
                    all::add,
                    () -> problems.add("--gpu-types has COUNTxTYPE=SPEED with commas between them, got " + text));
        }
        if (speeds(all).size() < all.size()) {
            problems.add("--gpu-types names a type twice. Remedy: add their counts");
        }
        if (!gpuTypes.isEmpty() && nodes != null) {
            problems.add("--gpu-types says how many nodes there are, and so does --nodes. Remedy: leave one out");
        }
        return all;
    }

    private static SortedMap<String, Double> speeds(List<NodesOfType> types) {
        SortedMap<String, Double> speeds = new TreeMap<>();
        types.forEach(nodes -> speeds.put(nodes.type(), nodes.speed()));
        return speeds;
    }

    /** Node by node; none where nobody told them. */
    private List<String> typesOfNodes(List<NodesOfType> types) {
        return types.isEmpty()
                ? Collections.nCopies(nodes(), "")
                : types.stream()
                        .flatMap(nodes -> Collections.nCopies(nodes.count(), nodes.type()).stream())
                        .toList();
    }

    private int nodes() {
        int typed = gpuTypes.stream()
                .flatMap(text -> NodesOfType.parse(text).stream())
                .mapToInt(NodesOfType::count)
                .sum();
        return typed > 0 ? typed : untypedNodes();
    }

    private int untypedNodes() {
        return nodes == null ? (workloads.onlyBuiltin() ? BuiltinWorkload.NODES : NODES) : nodes;
    }

    private int gpusPerNode() {
        return gpusPerNode == null
                ? (workloads.onlyBuiltin() ? BuiltinWorkload.GPUS_PER_NODE : GPUS_PER_NODE)
                : gpusPerNode;
    }

    private Resources capacity() {
        long gpus = gpusPerNode();
        return Resources.of(MEMORY_MB_PER_GPU * gpus, VCORES_PER_GPU * gpus, gpus);
    }

    private void range(String option, double value, double least, double most) {
        ResultNumbers.outside(option, value, least, most).ifPresent(problems::add);
    }

    private void refuseErrorsOfWhatIsLearnt() {
        if (speedError + remainingError > 0 && !"told".equals(knowledge)) {
            problems.add("--speed-error and --remaining-error are of what is told. Remedy: add --knowledge told");
        }
    }

    private Optional<Remaining> remaining() {
        if (remaining != null && "told".equals(knowledge)) {
            problems.add("--remaining is of what is learnt. Remedy: leave --knowledge told or --remaining away");
        }
        String kind = remaining == null ? DECLARED : remaining;
        if (declaredSigma > 0 && (!kind.equals(DECLARED) || "told".equals(knowledge))) {
            problems.add(
                    "--declared-sigma is of epochs that are declared. Remedy: leave --knowledge and --remaining away");
        }
        return switch (kind) {
            case DECLARED -> Optional.of(new Remaining.Declared(Math.max(0, declaredSigma)));
            case "curve" -> Optional.of(new Remaining.FromCurve());
            case "unknown" -> Optional.of(new Remaining.Unknown());
            default -> {
                problems.add("--remaining is declared, curve or unknown, got " + kind);
                yield Optional.empty();
            }
        };
    }

    private Optional<ResizePause> pause() {
        if (resizeCost.equals("measured")) {
            return Optional.of(new ResizePause(ASSUMED_PAUSE_SECONDS, ASSUMED_PAUSE_SECONDS, true, !freeStart));
        }
        try {
            String[] ends = resizeCost.split("-", 2);
            double least = Double.parseDouble(ends[0]);
            double most = ends.length == 1 ? least : Double.parseDouble(ends[1]);
            return Optional.of(new ResizePause(least, most, false, !freeStart));
        } catch (IllegalArgumentException none) {
            problems.add("--resize-cost is a number of seconds, a range as in 5-60, or measured, got " + resizeCost);
            return Optional.empty();
        }
    }

    private Optional<Foresight> foresight() {
        if (knowledge == null) {
            return Optional.empty();
        }
        for (Foresight each : Foresight.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(knowledge)) {
                return Optional.of(each);
            }
        }
        problems.add("--knowledge is learnt or told, got " + knowledge);
        return Optional.empty();
    }
}
