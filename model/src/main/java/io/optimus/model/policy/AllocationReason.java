package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.Words;
import io.optimus.model.cluster.DominantShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Why a job has the allocation that it has: a value, with a sentence for people, which is shown word for word in REST,
 * on the page, in the ApplicationMaster's diagnostics and in the log. It says what the job gets, why not more, and, where
 * it had more, why less.
 */
public sealed interface AllocationReason
        permits AllocationReason.Waits,
                AllocationReason.Divided,
                AllocationReason.NotKnown,
                AllocationReason.Explores,
                AllocationReason.WithinUsersLimit,
                AllocationReason.Stated,
                Bundled,
                Chosen,
                InTurn,
                WaitsForTurn,
                Configured,
                Guaranteed,
                Outweighed,
                Searched,
                Weighed {
    /** The reason in words, with the figures that decided. */
    String sentence();

    /** Its minimum does not fit: it gets nothing until it does. */
    record Waits(Allocation held, Allocation minimum, Lack lack) implements AllocationReason {
        @Override
        public String sentence() {
            String begin = held.isNone() ? "waits" : "gives up " + held + " and waits";
            return begin + " for its minimum of " + minimum + ": " + lack.words("");
        }
    }

    /**
     * Its speed is known: it grew from what it is sure of, task by task, each time as the job that gained most.
     *
     * @param sizing what it gets
     * @param last the task that it was given last; empty where it has only what it is sure of
     * @param end why it got no task more
     * @param assumedSeconds what it is taken to need on its minimum; empty where its end is predicted
     */
    record Divided(Sizing sizing, Optional<Growth> last, GrowthEnd end, OptionalDouble assumedSeconds)
            implements AllocationReason {
        @Override
        public String sentence() {
            List<String> why = new ArrayList<>();
            if (!sizing.isShrink()) {
                last.map(Growth::words).ifPresent(why::add);
            } else if (!(end instanceof GrowthEnd.NoRoom)) {
                sizing.difference().ifPresent(why::add);
            }
            why.add(end.words());
            if (assumedSeconds.isPresent()) {
                why.add("its end is not predicted yet, and taken as " + Words.seconds(assumedSeconds.getAsDouble())
                        + " on its minimum");
            }
            return sizing.words() + ": " + String.join("; ", why);
        }
    }

    /** Its speed is not known, and it got no size to learn it on. */
    record NotKnown(Sizing sizing, GrowthEnd end) implements AllocationReason {
        @Override
        public String sentence() {
            return sizing.words() + ": " + end.words();
        }
    }

    /** Runs on a size chosen to learn its speed function. */
    record Explores(Allocation size) implements AllocationReason {
        @Override
        public String sentence() {
            return "explores " + size + " to learn how its speed depends on its size";
        }
    }

    /**
     * As {@code reason}, where its user's limit bounds what was there to be divided.
     *
     * @param reason why, within that limit
     * @param user who submitted the job
     * @param most the most that his jobs may take of {@code resource}
     * @param resource of which they would have got too much
     */
    record WithinUsersLimit(AllocationReason reason, String user, long most, String resource)
            implements AllocationReason {
        @Override
        public String sentence() {
            return reason.sentence() + "; " + user + " may take " + most + " " + resource + " in all";
        }
    }

    /** What another policy says, in its own words. */
    record Stated(String sentence) implements AllocationReason {}

    /**
     * From what a job trains on to what it gets.
     *
     * @param from none: it begins
     * @param to what it gets
     * @param minimum the least that it runs with
     * @param mayShrink whether it could have been given less than it has
     * @param secondsSaved how much sooner it ends on {@code to} than it would on {@code from}, negative where later; empty
     *     where one of the two does not step or the speed is not known
     */
    record Sizing(Allocation from, Allocation to, Allocation minimum, boolean mayShrink, OptionalDouble secondsSaved) {
        /** Whether it gets less of something and more of nothing. */
        public boolean isShrink() {
            return !to.equals(from) && to.isWithin(from);
        }

        /** As the beginning of a sentence. */
        String words() {
            String size = to.equals(minimum) ? "its minimum of " + to : to.toString();
            if (from.isNone()) {
                return "starts with " + size;
            }
            if (to.equals(from)) {
                return "stays at " + size + (mayShrink || to.equals(minimum) ? "" : ", because it may not shrink");
            }
            String verb = isShrink() ? "shrinks" : from.isWithin(to) ? "grows" : "changes";
            return verb + " from " + from + " to " + size;
        }

        private Optional<String> difference() {
            if (secondsSaved.isEmpty()) {
                return Optional.empty();
            }
            double saved = secondsSaved.getAsDouble();
            return Optional.of("ends " + Words.seconds(Math.abs(saved)) + (saved < 0 ? " later" : " sooner") + " so");
        }
    }

    /**
     * A task that was given, or one of each role.
     *
     * @param tasks what was given
     * @param secondsSaved completion time that it saves, as predicted; infinite where the job stood still without it
     * @param shares what it takes of the cluster, dominant resource by dominant resource
     * @param runnerUp who would have been next
     */
    record Growth(Allocation tasks, double secondsSaved, List<DominantShare> shares, Optional<Compared> runnerUp) {
        /** Copies. */
        public Growth {
            shares = List.copyOf(shares);
        }

        private String words() {
            if (secondsSaved == Double.POSITIVE_INFINITY) {
                return "without its last " + Words.tasks(tasks) + " it would stand still";
            }
            String verb = tasks.tasks() > 1 ? " together save " : " saves ";
            return "its last " + Words.tasks(tasks) + verb + Words.seconds(secondsSaved) + " for "
                    + Words.shares(shares)
                    + runnerUp.map(other ->
                                    ", " + Words.times(other.times()) + "what " + other.job() + " would save per share")
                            .orElse("");
        }
    }

    /**
     * Another job's gain, beside which one of this job's stands.
     *
     * @param job its id
     * @param times larger gain over smaller one, 1 or more
     */
    record Compared(String job, double times) {}

    /** What is missing. */
    sealed interface Lack {
        /** As the end of a sentence about what has no room; {@code more} goes before what is asked for. */
        String words(String more);

        /** Too little of a resource is left within the limits. */
        record OfResource(String resource, long asked, long left) implements Lack {
            @Override
            public String words(String more) {
                return asked + " " + more + resource + " needed, " + Math.max(0, left) + " left";
            }
        }

        /** The nodes cannot host more tasks of that shape, whatever is left in sum. */
        record OfNodes(Role role) implements Lack {
            @Override
            public String words(String more) {
                return "no node can take one more " + Words.name(role);
            }
        }
    }

    /** Why a job got no task more. */
    sealed interface GrowthEnd {
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
        record NoRoom(Allocation tasks, double secondsSaved, Lack lack, Optional<Compared> taker) implements GrowthEnd {
            @Override
            public String words() {
                String saved = secondsSaved == Double.POSITIVE_INFINITY
                        ? " would set it going"
                        : " would save " + Words.seconds(secondsSaved);
                return Words.more(tasks) + saved + ", but has no room: " + lack.words("")
                        + taker.map(other -> "; the last task of " + other.job() + " saves "
                                        + Words.times(other.times()) + "as much per share")
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
        record NoRoomToExplore(Allocation size, Lack lack) implements GrowthEnd {
            @Override
            public String words() {
                return "its speed is not known yet, and there is no room to explore " + size + ": "
                        + lack.words("more ");
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
        record NoRoomToStay(Allocation held, Lack lack) implements GrowthEnd {
            @Override
            public String words() {
                return "its speed is not known yet, and there is no room to stay at " + held + ": "
                        + lack.words("more ");
            }
        }
    }
}
