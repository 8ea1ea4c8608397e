package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.DominantShare;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The job was given bundles of tasks, its minimum first.
 *
 * @param change what it gets
 * @param rule the rule that chose it each time
 * @param noRoom the bundle that had no room; empty if it has its maximum or was offered no further one
 */
public record BundleReason(SizeChange change, Rule rule, Optional<NoRoom> noRoom) implements AllocationReason {
    @Override
    public String sentence() {
        return change.words() + noRoom.map(NoRoom::words).orElse(": it is at its maximum");
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(noRoom.map(bundle -> bundle.shortage().kind()).orElse(ReasonKind.AT_MAXIMUM));
    }

    @Override
    public SortedMap<String, Double> figures() {
        Figures figures = new Figures(rule.figures());
        noRoom.ifPresent(bundle -> figures.with(bundle.shortage()));
        return figures.all();
    }

    /** The rule that chooses the next job. */
    public sealed interface Rule {
        /** The figures by which the job was compared, by name. */
        SortedMap<String, Double> figures();
    }

    /**
     * The job with the least dominant share.
     *
     * @param share its present share
     */
    public record LeastShare(DominantShare share) implements Rule {
        @Override
        public SortedMap<String, Double> figures() {
            return new Figures().with(List.of(share)).all();
        }
    }

    /**
     * The job whose bundle fits the free resources best and that has little work left.
     *
     * @param alignment of its last bundle with the resources free then
     * @param penalty the deduction for its remaining work
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

    /** A running job that was given nothing beyond the share that it may not give up. */
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
