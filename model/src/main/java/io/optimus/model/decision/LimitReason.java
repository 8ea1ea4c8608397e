package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;
import java.util.SortedMap;

/**
 * A limit that holds the job below what it could use, to be read after the policy's reason.
 */
public sealed interface LimitReason extends Reason {
    @Override
    default boolean isOfDecision() {
        return false;
    }

    /**
     * The queue may use no more, although the nodes have room.
     *
     * @param queue its path
     * @param resource the resource that is limited
     * @param most what the training jobs of the queue may take of it
     * @param free what the nodes have free of it beyond that
     */
    record OfQueue(String queue, String resource, long most, long free) implements LimitReason {
        @Override
        public String sentence() {
            return "held below what it could use by the limit of queue " + queue + ": its training jobs may take "
                    + Words.amount(Math.max(0, most), resource) + " in all, and " + free + " more "
                    + (free == 1 ? "is" : "are") + " free on nodes";
        }

        @Override
        public List<ReasonKind> kinds() {
            return List.of(ReasonKind.QUEUE_LIMIT);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("queueLimit." + resource, Math.max(0, most))
                    .with("freeBeyondQueueLimit." + resource, free)
                    .all();
        }
    }

    /**
     * It may not shrink, so it learns its speed with care.
     *
     * @param most the largest size that it may try now
     */
    record KeepsTasks(Allocation most) implements LimitReason {
        @Override
        public String sentence() {
            return "kept small because it may not shrink: it tries only larger sizes, up to " + most
                    + ", which is twice what it holds";
        }

        @Override
        public List<ReasonKind> kinds() {
            return List.of(ReasonKind.MAY_NOT_SHRINK);
        }
    }
}
