package io.optimus.model.decision;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * The job's share is guaranteed: it was given before others grew, whatever they would gain from it.
 *
 * @param change what it gets
 * @param ground why its share is guaranteed
 */
public record GuaranteeReason(SizeChange change, Ground ground) implements AllocationReason {
    @Override
    public String sentence() {
        return change.words() + ": " + ground.words();
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(ground.kind());
    }

    @Override
    public SortedMap<String, Double> figures() {
        return ground.figures();
    }

    /** Why a share is guaranteed. */
    public sealed interface Ground {
        /** The words that end a sentence. */
        String words();

        /** What the words say. */
        default ReasonKind kind() {
            return ReasonKind.GUARANTEED_SHARE;
        }

        /** The figures behind the words, by name. */
        default SortedMap<String, Double> figures() {
            return Collections.emptySortedMap();
        }
    }

    /** Its speed is not known and is measured first. */
    public record MeasuredFirst() implements Ground {
        @Override
        public String words() {
            return "its speed is measured there before it grows";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NOT_MEASURED;
        }
    }

    /**
     * It ends sooner than it could stop and restart.
     *
     * @param remainingSeconds seconds to its end
     * @param resizeCostSeconds seconds to stop and restart it
     */
    public record EndsSoon(double remainingSeconds, double resizeCostSeconds) implements Ground {
        @Override
        public String words() {
            return "it ends in " + Words.seconds(remainingSeconds) + ", and to stop and restart it would take "
                    + Words.seconds(resizeCostSeconds);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("remainingSeconds", remainingSeconds)
                    .with("resizeCostSeconds", resizeCostSeconds)
                    .all();
        }
    }

    /** Other jobs have smaller priorities. */
    public record LargerPriority(int priority) implements Ground {
        @Override
        public String words() {
            return "its priority of " + priority + " is larger than that of other jobs";
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures().with("priority", priority).all();
        }
    }

    /**
     * It has run too little for its age.
     *
     * @param ranSeconds workers times seconds
     * @param dueSeconds workers times seconds that a job of its age is owed
     */
    public record Owed(double ranSeconds, double dueSeconds) implements Ground {
        @Override
        public String words() {
            return "it has run less than is guaranteed to a job of its age";
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("ranWorkerSeconds", ranSeconds)
                    .with("owedWorkerSeconds", dueSeconds)
                    .all();
        }
    }
}
