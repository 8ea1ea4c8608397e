package io.optimus.model.plan;

import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.model.policy.OptimusPolicy;
import java.util.List;
import java.util.function.Predicate;

/**
 * All strategies by name: the ResourceManager and the simulator offer the same ones. A new policy becomes usable with one
 * entry here.
 */
public final class Strategies {
    private static final List<NamedStrategy> ALL = List.of(new NamedStrategy(
            "optimus",
            "largest marginal gain in completion time, fewest nodes",
            Foresight.LEARNT,
            Batch.FIXED,
            seed -> Strategy.of(new OptimusPolicy())));

    private Strategies() {}

    /** Every strategy. */
    public static List<NamedStrategy> all() {
        return ALL;
    }

    /** Names of every strategy. */
    public static List<String> names() {
        return names(strategy -> true);
    }

    /** Names of those that need no more than can be learnt: what a ResourceManager can be configured with. */
    public static List<String> practicable() {
        return names(strategy -> strategy.foresight() == Foresight.LEARNT);
    }

    private static List<String> names(Predicate<NamedStrategy> which) {
        return ALL.stream().filter(which).map(NamedStrategy::name).toList();
    }

    /** The strategy with this name; refuses one that there is not. */
    public static NamedStrategy named(String name) {
        return ALL.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no policy " + name + ". Remedy: name one of " + String.join(", ", names())));
    }
}
