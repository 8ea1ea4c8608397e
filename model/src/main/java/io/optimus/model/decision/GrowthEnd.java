package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.decision.MarginalGainReason.Compared;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/** Why a job got no further task. */
public sealed interface GrowthEnd {
    /** The words that end a sentence. */
    String words();

    /** What the words say. */
    ReasonKind kind();

    /** The job that has what this one could use; empty if there is no single one. */
    default Optional<Reason.Rival> rival() {
        return Optional.empty();
    }

    /** The figures behind the words, by name. */
    default SortedMap<String, Double> figures() {
        return Collections.emptySortedMap();
    }

    /** Both roles are at their maximum. */
    record AtMaximum() implements GrowthEnd {
        @Override
        public String words() {
            return "it is at its maximum";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.AT_MAXIMUM;
        }
    }

    /** No further task of a role below its maximum would save time. */
    record NoGain(Optional<Role> atMaximum) implements GrowthEnd {
        @Override
        public String words() {
            return atMaximum
                    .map(full -> switch (full) {
                        case WORKER -> "one more ps would not make it faster";
                        case PARAMETER_SERVER -> "one more worker would not make it faster";
                    })
                    .orElse("no further task would make it faster");
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NO_GAIN;
        }
    }

    /**
     * A further task would save time, but has no room.
     *
     * @param tasks the task, or one of each role
     * @param secondsSaved the time that it would save; infinite if the job stands still without it
     * @param shortage why there is no room
     * @param taker the job that got the last of the scarce resource, if it gains as much or more per share
     */
    record NoRoom(Allocation tasks, double secondsSaved, Shortage shortage, Optional<Compared> taker)
            implements GrowthEnd {
        @Override
        public String words() {
            String saves = secondsSaved == Double.POSITIVE_INFINITY
                    ? "would let it begin to train"
                    : "would save it " + Words.seconds(secondsSaved);
            String why = taker.map(other -> other.words(secondsSaved)).orElse("but " + shortage.words());
            return Words.more(tasks) + " " + saves + ", " + why;
        }

        @Override
        public ReasonKind kind() {
            return taker.isPresent() ? ReasonKind.OUTBID : shortage.kind();
        }

        @Override
        public Optional<Reason.Rival> rival() {
            return taker.map(other -> Reason.Rival.bySeconds(other.job(), other.secondsSaved(), secondsSaved));
        }

        @Override
        public SortedMap<String, Double> figures() {
            Figures figures =
                    new Figures().with("secondsSavedByNextTask", secondsSaved).with(shortage);
            taker.ifPresent(other -> figures.with("timesGainOfNextTask." + other.job(), other.times()));
            return figures.all();
        }
    }

    /** Its speed was not measured yet; that comes first, on its present size. */
    record MeasuredFirst() implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is measured there before it tries other sizes";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NOT_MEASURED;
        }
    }

    /** It would explore a size that has no room. */
    record NoRoomToExplore(Allocation size, Shortage shortage) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and it cannot explore " + size + ": " + shortage.words();
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NOT_MEASURED;
        }

        @Override
        public SortedMap<String, Double> figures() {
            return shortage.figures();
        }
    }

    /** It would explore a size that is smaller than its guaranteed share. */
    record WouldExplore(Allocation size) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and it would explore " + size + " if it could shrink to that";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NOT_MEASURED;
        }
    }

    /** Its present size has no room any more, and the value of that size is not known. */
    record NoRoomToStay(Allocation held, Shortage shortage) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and it cannot keep " + held + ": " + shortage.words();
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NOT_MEASURED;
        }

        @Override
        public SortedMap<String, Double> figures() {
            return shortage.figures();
        }
    }
}
