package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.decision.MarginalGainReason.Compared;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;

/** Why a job got no further task. */
public sealed interface GrowthEnd {
    /** As the end of a sentence. */
    String words();

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
    }

    /** No further task would save time, of the roles that are not at their maximum. */
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
    }

    /**
     * A further task would save time, and has no room.
     *
     * @param tasks the task, or one of each role
     * @param secondsSaved what it would save; infinite where the job stands still without it
     * @param shortage why there is no room
     * @param taker the job that was given the last of the scarce resource, where it gains as much or more per share
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
        public SortedMap<String, Double> figures() {
            Figures figures =
                    new Figures().with("secondsSavedByNextTask", secondsSaved).with(shortage);
            taker.ifPresent(other -> figures.with("timesGainOfNextTask." + other.job(), other.times()));
            return figures.all();
        }
    }

    /** Nothing was measured yet: that comes first, on the size that it has. */
    record MeasuredFirst() implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is measured there before it tries other sizes";
        }
    }

    /** It would explore a size, for which there is no room. */
    record NoRoomToExplore(Allocation size, Shortage shortage) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and it cannot explore " + size + ": " + shortage.words();
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
    }

    /** There is no room any more for all that it runs on, and nothing is known of what that is worth. */
    record NoRoomToStay(Allocation held, Shortage shortage) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and it cannot keep " + held + ": " + shortage.words();
        }

        @Override
        public SortedMap<String, Double> figures() {
            return shortage.figures();
        }
    }
}
