package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Locale;

/**
 * Why a job has the allocation that it has: a value, with a sentence for people, which is shown word for word in REST,
 * on the page, in the ApplicationMaster's diagnostics and in the log.
 */
public sealed interface AllocationReason {
    /** The reason in words, with the figures that decided. */
    String sentence();

    /** Its minimum does not fit: it gets nothing until it does. */
    record Waits(Allocation minimum, Lack lack) implements AllocationReason {
        @Override
        public String sentence() {
            return "waits: its minimum of " + minimum + " " + lack.words();
        }
    }

    /** Grew above what it is sure of, task by task, each time as the job that gained most. */
    record Grew(Allocation allocation, Growth last, GrowthEnd end) implements AllocationReason {
        @Override
        public String sentence() {
            return "grew to " + allocation + ": " + last.words() + "; " + end.words();
        }
    }

    /** Has what it is sure of, its minimum, and did not gain most from any task beyond. */
    record StaysAtMinimum(Allocation minimum, GrowthEnd end) implements AllocationReason {
        @Override
        public String sentence() {
            return "has its minimum of " + minimum + ": " + end.words();
        }
    }

    /** May not shrink, and did not grow. */
    record MayNotShrink(Allocation held, GrowthEnd end) implements AllocationReason {
        @Override
        public String sentence() {
            return "keeps " + held + ", because it may not shrink: " + end.words();
        }
    }

    /** Runs on a size chosen to learn its speed function. */
    record Explores(Allocation size) implements AllocationReason {
        @Override
        public String sentence() {
            return "explores " + size + " to learn how its speed depends on its size";
        }
    }

    /** Keeps its size, of which nothing better is known. */
    record KeepsSize(Allocation held) implements AllocationReason {
        @Override
        public String sentence() {
            return "keeps " + held + ": its speed on other sizes is not known yet, and there is nothing to explore now";
        }
    }

    /** What another policy says, in its own words. */
    record Stated(String sentence) implements AllocationReason {}

    /**
     * The growth that was given last.
     *
     * @param role the role that got a task
     * @param bothRoles whether the other role got one too
     * @param secondsSaved completion time that the step saves, as predicted
     * @param share part of the cluster's {@code resource} that the step takes, in [0, 1]
     * @param resource dominant resource of the step
     * @param runnerUp the job that would have been next, empty where none
     */
    record Growth(Role role, boolean bothRoles, double secondsSaved, double share, String resource, String runnerUp) {
        private String words() {
            String task = bothRoles ? "one more ps with one more worker" : "one more " + AllocationReason.name(role);
            return task
                    + String.format(
                            Locale.ROOT,
                            " saves %s for %.3g %% of the cluster's %s",
                            AllocationReason.seconds(secondsSaved),
                            100 * share,
                            resource)
                    + (runnerUp.isEmpty() ? "" : ", more a share than " + runnerUp + " would save");
        }
    }

    /** What is missing. */
    sealed interface Lack {
        /** As the end of a sentence about what does not fit. */
        String words();

        /** Too little of a resource is left within the limits. */
        record OfResource(String resource, long asked, long left) implements Lack {
            @Override
            public String words() {
                return "needs " + asked + " " + resource + ", " + Math.max(0, left) + " left";
            }
        }

        /** The nodes cannot host more tasks of that shape, whatever is left in sum. */
        record OfNodes(Role role) implements Lack {
            @Override
            public String words() {
                return "finds no node with room for one more " + AllocationReason.name(role);
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

        /** No further task would save time. */
        record NoGain() implements GrowthEnd {
            @Override
            public String words() {
                return "no further task would make it faster";
            }
        }

        /** A further task would save time, and has no room. */
        record NoRoom(Role role, Lack lack) implements GrowthEnd {
            @Override
            public String words() {
                return "one more " + AllocationReason.name(role) + " " + lack.words();
            }
        }

        /** Its speed is not known, and what it would try does not fit. */
        record SpeedUnknown(Lack lack) implements GrowthEnd {
            @Override
            public String words() {
                return "its speed is not known yet, and a larger size to try " + lack.words();
            }
        }

        /** Its speed is not known, and there is no size to try. */
        record NothingToTry() implements GrowthEnd {
            @Override
            public String words() {
                return "its speed is not known yet, and there is no larger size to try now";
            }
        }

        /** As {@code end}, with remaining work that was assumed. */
        record Assumed(double remainingSeconds, GrowthEnd end) implements GrowthEnd {
            @Override
            public String words() {
                return end.words() + " (its end is not predicted yet; taken as "
                        + AllocationReason.seconds(remainingSeconds) + " on its minimum)";
            }
        }
    }

    private static String name(Role role) {
        return switch (role) {
            case WORKER -> "worker";
            case PARAMETER_SERVER -> "ps";
        };
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 100 ? "%.3g s" : "%.0f s", seconds);
    }
}
