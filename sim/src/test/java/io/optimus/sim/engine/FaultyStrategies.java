package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision;
import io.optimus.model.placement.Placer;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Strategies whose plans are not possible. */
final class FaultyStrategies {
    private FaultyStrategies() {}

    /** Puts four workers of every job on the first node. */
    static NamedStrategy overCommitting() {
        Strategy asAsked = FixedSizePolicy.asAsked().bySeed().apply(1);
        return new NamedStrategy(
                "over-committing",
                "for tests",
                NamedStrategy.KnowledgeSource.EXACT,
                NamedStrategy.Batch.FIXED,
                seed -> new Strategy(asAsked.policy(), new OverCommitting(), Strategy.Resizes.AS_DECIDED));
    }

    private static final class OverCommitting implements Placer {
        @Override
        public String name() {
            return "over-committing";
        }

        @Override
        public PlacementDecision place(ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
            Placement everywhere = Placement.of(Map.of(cluster.nodes().get(0).id(), new Allocation(0, 4)));
            Map<String, PlacementDecision.Placed> placed = new TreeMap<>();
            jobs.forEach(job -> placed.put(
                    job.id(), new PlacementDecision.Placed(everywhere, new PlacementReason.NothingToPlace())));
            return new PlacementDecision(new TreeMap<>(placed));
        }
    }
}
