package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.DominantShare;
import java.util.List;
import java.util.Optional;

/**
 * It was given bundles of tasks, its minimum first.
 *
 * @param sizing what it gets
 * @param rule by which it was its turn, as often as it was
 * @param noRoom what had no room; empty where it has its maximum
 */
public record BundleReason(SizeChange sizing, Rule rule, Optional<NoRoom> noRoom) implements AllocationReason {
    @Override
    public String sentence() {
        String end = noRoom.map(NoRoom::words).orElse("that is its maximum");
        return sizing.words() + ": " + rule.words() + "; " + end;
    }

    /** Whose turn it is. */
    public sealed interface Rule {
        /** As part of a sentence, with the job's figures. */
        String words();
    }

    /**
     * Whoever has the least dominant share.
     *
     * @param share that it has now
     */
    public record LeastShare(DominantShare share) implements Rule {
        @Override
        public String words() {
            return "it has " + Words.shares(List.of(share)) + ", and the least share is served first";
        }
    }

    /**
     * Whoever fits best into what is free and has little work left.
     *
     * @param alignment of its last bundle with what was free then
     * @param penalty what its remaining work took off that
     */
    public record BestPacked(double alignment, double penalty) implements Rule {
        @Override
        public String words() {
            return "its last bundle scored " + Words.number(alignment - penalty) + ": " + Words.number(alignment)
                    + " for how it fits into what was free, less " + Words.number(penalty)
                    + " for the work it has left";
        }
    }

    /** A running job that was given nothing beyond what it may not give up. */
    public record Kept() implements Rule {
        @Override
        public String words() {
            return "it was not given any more than it had";
        }
    }

    /**
     * A bundle that did not fit.
     *
     * @param tasks the bundle
     * @param lack why there is no room
     */
    public record NoRoom(Allocation tasks, Shortage lack) {
        String words() {
            return "one more " + Words.tasks(tasks) + " has no room: " + lack.words("");
        }
    }
}
