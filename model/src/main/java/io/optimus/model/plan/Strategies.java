package io.optimus.model.plan;

import io.optimus.model.placement.DecidedPlacer;
import io.optimus.model.placement.EmptiestNodesPlacer;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.placement.Placer;
import io.optimus.model.placement.SpreadPlacer;
import io.optimus.model.placement.WholeNodesPlacer;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.plan.Strategy.Resizes;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.policy.DrfPolicy;
import io.optimus.model.policy.FifoPolicy;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.model.policy.SrtfPolicy;
import io.optimus.model.policy.TetrisPolicy;
import io.optimus.model.policy.TiresiasPolicy;
import io.optimus.model.policy.goodput.MarginalGoodputPolicy;
import io.optimus.model.policy.pollux.PolluxPolicy;
import io.optimus.model.policy.sia.SiaPolicy;
import io.optimus.model.policy.smd.SmdPolicy;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * All strategies by name. The ResourceManager and the simulator offer the same ones; a new policy becomes usable with one
 * entry here.
 */
public final class Strategies {
    /** The name of the strategy that is used if none is named. */
    public static final String DEFAULT = "marginal-goodput";

    private static final List<NamedStrategy> ALL = List.of(
            new NamedStrategy(
                    "optimus",
                    "largest marginal gain in completion time, fewest nodes",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    seed -> Strategy.of(new OptimusPolicy())),
            new NamedStrategy(
                    "drf",
                    "least dominant share, one ps per worker, spread over nodes",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    seed -> asPublished(new DrfPolicy(), new SpreadPlacer())),
            new NamedStrategy(
                    "tetris",
                    "best packing with little remaining work, one ps per worker, spread over nodes",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    seed -> asPublished(new TetrisPolicy(), new SpreadPlacer())),
            new NamedStrategy(
                    "smd",
                    "jobs worth most together, each on its fastest size, fewest nodes",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    seed -> asPublished(new SmdPolicy(), new OptimusPlacer())),
            new NamedStrategy(
                    "fifo",
                    "requested sizes in order of submission, nobody overtakes",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    seed -> asPublished(new FifoPolicy(), new OptimusPlacer())),
            new NamedStrategy(
                    "srtf",
                    "requested sizes, shortest remaining time first",
                    KnowledgeSource.EXACT,
                    Batch.FIXED,
                    seed -> asPublished(new SrtfPolicy(), new OptimusPlacer())),
            new NamedStrategy(
                    "marginal-goodput",
                    "largest speed-up, weighed by rank in remaining work; whole nodes",
                    KnowledgeSource.LEARNED,
                    Batch.ADAPTIVE,
                    seed -> new Strategy(new MarginalGoodputPolicy(), new WholeNodesPlacer(), Resizes.NOT_IN_VAIN)),
            new NamedStrategy(
                    "pollux-exact",
                    "fairest speed-ups, as by marginal-goodput in all else: its control",
                    KnowledgeSource.LEARNED,
                    Batch.ADAPTIVE,
                    seed -> new Strategy(
                            MarginalGoodputPolicy.withPolluxObjective(), new WholeNodesPlacer(), Resizes.NOT_IN_VAIN)),
            new NamedStrategy(
                    "pollux",
                    "fairest speed-ups, sizes and places searched genetically",
                    KnowledgeSource.LEARNED,
                    Batch.ADAPTIVE,
                    seed -> asPublished(new PolluxPolicy(new SplittableRandom(seed)), new DecidedPlacer())),
            new NamedStrategy(
                    "sia",
                    "one configuration a job, fairest speed-ups over the minimum; whole nodes",
                    KnowledgeSource.LEARNED,
                    Batch.ADAPTIVE,
                    seed -> asPublished(new SiaPolicy(), new WholeNodesPlacer())),
            new NamedStrategy(
                    "tiresias",
                    "requested sizes, those with little attained service first, emptiest nodes first",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    seed -> asPublished(new TiresiasPolicy(), EmptiestNodesPlacer.inOrder(TiresiasPolicy.BY_TURN))),
            new NamedStrategy(
                    "optimus-oracle",
                    "largest marginal gain by true speeds and true remaining work, emptiest nodes first",
                    KnowledgeSource.EXACT,
                    Batch.FIXED,
                    seed -> asPublished(OptimusPolicy.stepByStep(), EmptiestNodesPlacer.fewestTasksFirst())));

    private Strategies() {}

    /** A policy that carries out all its resizes, as in its publication. */
    private static Strategy asPublished(AllocationPolicy policy, Placer placer) {
        return new Strategy(policy, placer, Resizes.AS_DECIDED);
    }

    public static List<NamedStrategy> all() {
        return ALL;
    }

    public static List<String> names() {
        return names(strategy -> true);
    }

    /** The names of the strategies that need only what can be learned: those that a ResourceManager can use. */
    public static List<String> practicable() {
        return names(strategy -> strategy.knowledge() == KnowledgeSource.LEARNED);
    }

    private static List<String> names(Predicate<NamedStrategy> which) {
        return ALL.stream().filter(which).map(NamedStrategy::name).toList();
    }

    /** The strategy with this name; throws if there is none. */
    public static NamedStrategy named(String name) {
        return ALL.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no policy " + name + ". Remedy: name one of " + String.join(", ", names())));
    }
}
