package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * The job keeps the size that it has, because a change would be in vain.
 *
 * @param size what it keeps
 * @param cause why
 */
public record ResizeReason(Allocation size, Cause cause) implements Reason {
    @Override
    public String sentence() {
        return "stays at " + size + ": " + cause.words();
    }

    @Override
    public List<ReasonKind> kinds() {
        return List.of(cause.kind());
    }

    @Override
    public SortedMap<String, Double> figures() {
        return cause.figures();
    }

    /** Why a change would be in vain. */
    public sealed interface Cause {
        /** The words that end a sentence. */
        String words();

        /** What they say. */
        default ReasonKind kind() {
            return ReasonKind.RESIZE_COST;
        }

        /** The figures behind the words, by name. */
        default SortedMap<String, Double> figures() {
            return Collections.emptySortedMap();
        }
    }

    /** Only its nodes would change. */
    public record OtherNodes() implements Cause {
        @Override
        public String words() {
            return "other nodes would not make it faster";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NO_GAIN;
        }
    }

    /**
     * The change saves less than it costs.
     *
     * @param other the size that it would get
     * @param secondsSaved what that would save it; negative if it would cost it time
     * @param costSeconds what the resize costs, for a job that does not grow with the error of predictions
     * @param grows whether it would only grow
     */
    public record NotRepaid(Allocation other, double secondsSaved, double costSeconds, boolean grows) implements Cause {
        @Override
        public String words() {
            return other + " would " + (secondsSaved < 0 ? "cost it " : "save it ")
                    + Words.seconds(Math.abs(secondsSaved)) + ", and the resize"
                    + (grows ? " costs " : " and the error of predictions may cost ") + Words.seconds(costSeconds);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("secondsSavedByResize", secondsSaved)
                    .with("resizeCostSeconds", costSeconds)
                    .all();
        }
    }

    /**
     * All changes that go together save less than they cost.
     *
     * @param other the size that it would get
     * @param secondsSaved what they would save all jobs in sum; negative if they would cost time
     * @param costSeconds what the resizes cost, with the errors of predictions
     */
    public record NotRepaidTogether(Allocation other, double secondsSaved, double costSeconds) implements Cause {
        @Override
        public String words() {
            return other + " and the resizes of other jobs that go with it would "
                    + (secondsSaved < 0 ? "cost " : "save ") + Words.seconds(Math.abs(secondsSaved))
                    + " together, and the resizes and the errors of predictions may cost "
                    + Words.seconds(costSeconds);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("secondsSavedByResizes", secondsSaved)
                    .with("resizesCostSeconds", costSeconds)
                    .all();
        }
    }

    /**
     * No other job can use what the change would free.
     *
     * @param other the smaller size; none if the job would stop
     */
    public record NobodyElse(Allocation other) implements Cause {
        @Override
        public String words() {
            return "no other job can use what " + (other.isNone() ? "stopping it" : "shrinking to " + other)
                    + " would free";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NOT_NEEDED;
        }
    }
}
