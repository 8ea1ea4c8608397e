package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.decision.MarginalGainReason.Compared;
import java.util.Optional;

/** Why a job got no task more. */
public sealed interface GrowthEnd {
    /** As the end of a sentence. */
    String words();

    /** Both roles are at their maximum. */
    record AtMaximum() implements GrowthEnd {
        @Override
        public String words() {
            return "that is its maximum";
        }
    }

    /** No further task would save time, of the roles that are not at their maximum. */
    record NoGain(Optional<Role> atMaximum) implements GrowthEnd {
        @Override
        public String words() {
            return atMaximum
                    .map(full -> switch (full) {
                        case WORKER -> "it has its maximum of workers, and one more ps would not make it faster";
                        case PARAMETER_SERVER -> "it has its maximum of ps, and one more worker would not make it faster";
                    })
                    .orElse("no further task would make it faster");
        }
    }

    /**
     * A further task would save time, and has no room.
     *
     * @param tasks the task, or one of each role
     * @param secondsSaved what it would save; infinite where the job stands still without it
     * @param lack why there is no room
     * @param taker who was given the last of what lacks, because he gains as much or more a share
     */
    record NoRoom(Allocation tasks, double secondsSaved, Shortage lack, Optional<Compared> taker) implements GrowthEnd {
        @Override
        public String words() {
            String saved = secondsSaved == Double.POSITIVE_INFINITY
                    ? " would set it going"
                    : " would save " + Words.seconds(secondsSaved);
            return Words.more(tasks) + saved + ", but has no room: " + lack.words("")
                    + taker.map(other -> "; the last task of " + other.job() + " saves " + Words.times(other.times())
                                    + "as much per share")
                            .orElse("");
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
    record NoRoomToExplore(Allocation size, Shortage lack) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and there is no room to explore " + size + ": " + lack.words("more ");
        }
    }

    /** It would explore a size that is smaller than what it may not give up. */
    record WouldExplore(Allocation size) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet; it would explore " + size;
        }
    }

    /** There is no room any more for all that it runs on, and nothing is known of what that is worth. */
    record NoRoomToStay(Allocation held, Shortage lack) implements GrowthEnd {
        @Override
        public String words() {
            return "its speed is not known yet, and there is no room to stay at " + held + ": " + lack.words("more ");
        }
    }
}
