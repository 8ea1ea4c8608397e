package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.DominantShare;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * It was given bundles of tasks, its minimum first.
 *
 * @param change what it gets
 * @param rule by which it was its turn, as often as it was
 * @param noRoom the bundle that had no room; empty where it has its maximum or was not offered any more
 */
public record BundleReason(SizeChange change, Rule rule, Optional<NoRoom> noRoom) implements AllocationReason {
    @Override
    public String sentence() {
        return change.words() + noRoom.map(NoRoom::words).orElse(": it is at its maximum");
    }

    @Override
    public SortedMap<String, Double> figures() {
        Figures figures = new Figures(rule.figures());
        noRoom.ifPresent(bundle -> figures.with(bundle.shortage()));
        return figures.all();
    }

    /** Whose turn it is. */
    public sealed interface Rule {
        /** What the job was compared by, by name. */
        SortedMap<String, Double> figures();
    }

    /**
     * The job with the least dominant share.
     *
     * @param share that it has now
     */
    public record LeastShare(DominantShare share) implements Rule {
        @Override
        public SortedMap<String, Double> figures() {
            return new Figures().with(List.of(share)).all();
        }
    }

    /**
     * The job whose bundle fits best into what is free, and that has little work left.
     *
     * @param alignment of its last bundle with what was free then
     * @param penalty what its remaining work took off that
     */
    public record BestPacked(double alignment, double penalty) implements Rule {
        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("alignment", alignment)
                    .with("penaltyForRemainingWork", penalty)
                    .with("score", alignment - penalty)
                    .all();
        }
    }

    /** A running job that was given nothing beyond what it may not give up. */
    public record Kept() implements Rule {
        @Override
        public SortedMap<String, Double> figures() {
            return Collections.emptySortedMap();
        }
    }

    /**
     * A bundle that did not fit.
     *
     * @param tasks the bundle
     * @param shortage why there is no room
     */
    public record NoRoom(Allocation tasks, Shortage shortage) {
        private String words() {
            boolean several = Math.max(tasks.parameterServers(), tasks.workers()) > 1;
            return ", and " + Words.more(tasks) + (several ? " have" : " has") + " no room: " + shortage.words();
        }
    }
}
