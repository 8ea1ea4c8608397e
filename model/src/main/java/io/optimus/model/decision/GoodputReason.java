package io.optimus.model.decision;

import io.optimus.model.Allocation;

/**
 * Its size is part of the division that is worth most in all, each job counting by its weight and by how much faster it
 * is than on an equal part of the cluster.
 *
 * @param sizing what it gets
 * @param timesFair its speed on that over its speed on an equal part, 0 or more
 * @param standing how much it counts
 * @param end why it got no more
 */
public record GoodputReason(SizeChange sizing, double timesFair, Standing standing, End end)
        implements AllocationReason {
    @Override
    public String sentence() {
        return sizing.words() + ": " + Words.number(timesFair) + " times as fast as on an equal part of the cluster; "
                + standing.words() + "; " + end.words();
    }

    /** How much a job counts. */
    public sealed interface Standing {
        /** Factor of its worth, above 0. */
        double weight();

        /** As part of a sentence. */
        String words();
    }

    /**
     * By what it has still to do.
     *
     * @param place 1 for the job that has least left
     * @param jobs how many there are
     */
    public record ByRemainingWork(double weight, int place, int jobs) implements Standing {
        @Override
        public String words() {
            String who = place == 1 ? "it has least work left" : place + " by least work left";
            return who + " of " + jobs + (jobs == 1 ? " job" : " jobs") + ", which weighs " + Words.number(weight);
        }
    }

    /**
     * By what it had so far, and by the few ends that are believed.
     *
     * @param seconds its workers' GPUs times the seconds that it held them
     */
    public record ByService(double weight, double seconds) implements Standing {
        @Override
        public String words() {
            return "too few ends are sure; with the " + Words.number(seconds)
                    + " GPU-seconds that it had so far it weighs " + Words.number(weight);
        }
    }

    /** As every other job. */
    public record Equal() implements Standing {
        @Override
        public double weight() {
            return 1;
        }

        @Override
        public String words() {
            return "all jobs weigh the same";
        }
    }

    /** Why a job got no more. */
    public sealed interface End {
        /** As the end of a sentence. */
        String words();
    }

    /** It has all that it can use. */
    public record AtMaximum() implements End {
        @Override
        public String words() {
            return "that is its maximum";
        }
    }

    /** It has as much as it may try yet. */
    public record Ramp(int times, Allocation largest) implements End {
        @Override
        public String words() {
            return "no more than " + times + " times the " + largest
                    + " that it ran on so far, because its speed is not known beyond";
        }
    }

    /** More would not help. */
    public record NotFaster() implements End {
        @Override
        public String words() {
            return "no larger size would make it faster";
        }
    }

    /** More would help, and others make more of it. */
    public record WorthMoreElsewhere(Allocation larger, double times) implements End {
        @Override
        public String words() {
            return larger + " would make it " + Words.number(times) + " times as fast, but are worth more to others";
        }
    }
}
