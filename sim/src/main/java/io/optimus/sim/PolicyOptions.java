package io.optimus.sim;

import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.placement.Placer;
import io.optimus.model.placement.SpreadPlacer;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that set the policies. */
final class PolicyOptions {
    private static final Map<String, Placer> PLACEMENTS =
            new TreeMap<>(Map.of("fewest-nodes", new OptimusPlacer(), "spread", new SpreadPlacer()));

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            description =
                    "policies; others are compared with the first (default: marginal-goodput; with --recording the policy that ran, which is always the first); 'lower-bound' adds times that no schedule can beat")
    private @Nullable List<String> policies;

    @Option(
            names = "--placement",
            paramLabel = "KIND",
            description =
                    "placement for all policies, to see its effect alone: fewest-nodes or spread (default: the placement of each policy)")
    private @Nullable String placement;

    /** Whether no policy was named. */
    boolean isEmpty() {
        return policies == null;
    }

    private List<String> names() {
        return policies == null ? List.of(Strategies.DEFAULT) : policies;
    }

    boolean withLowerBound() {
        return names().contains(LowerBound.NAME);
    }

    String placementInWords() {
        return "placement " + (placement == null ? "of each policy" : placement);
    }

    /** Returns the chosen policies in their order, and adds problems of the options to {@code problems}. */
    List<NamedStrategy> strategies(List<String> problems) {
        if (placement != null && !PLACEMENTS.containsKey(placement)) {
            problems.add("--placement is one of " + String.join(", ", PLACEMENTS.keySet()) + "; got " + placement);
        }
        List<NamedStrategy> found = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        List<String> known = Strategies.names();
        for (String name : names().stream().map(String::strip).toList()) {
            if (name.equals(LowerBound.NAME)) {
                continue;
            }
            if (!known.contains(name)) {
                problems.add("--policy " + name + " does not exist. Remedy: name one of " + String.join(", ", known)
                        + ", " + LowerBound.NAME);
            } else if (seen.add(name)) {
                found.add(placed(Strategies.named(name)));
            }
        }
        return found;
    }

    private NamedStrategy placed(NamedStrategy strategy) {
        Placer placer = placement == null ? null : PLACEMENTS.get(placement);
        return placer == null
                ? strategy
                : new NamedStrategy(
                        strategy.name(),
                        strategy.summary(),
                        strategy.knowledge(),
                        strategy.batch(),
                        seed -> strategy.bySeed().apply(seed).with(placer));
    }
}
