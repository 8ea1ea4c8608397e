package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.SortedMap;

/**
 * Its size is part of the division that is worth most in all, each job counting by its weight and by how much faster it
 * is than on an equal part of the cluster.
 *
 * @param change what it gets
 * @param timesFair its speed on that over its speed on an equal part, 0 or more
 * @param weight how much it counts
 * @param end why it got no more
 */
public record GoodputReason(SizeChange change, double timesFair, Weight weight, End end) implements AllocationReason {
    @Override
    public String sentence() {
        return change.words() + ": " + end.words();
    }

    @Override
    public SortedMap<String, Double> figures() {
        Figures figures =
                new Figures().with("timesSpeedOnEqualPart", timesFair).with("secondsSaved", change.secondsSaved());
        end.addTo(figures);
        weight.addTo(figures.with("weight", weight.factor()));
        return figures.all();
    }

    /** How much a job counts. */
    public sealed interface Weight {
        /** Factor of its worth, above 0. */
        double factor();

        /** Adds what the factor comes from. */
        void addTo(Figures figures);
    }

    /**
     * By what it has still to do.
     *
     * @param place 1 for the job that has least left
     * @param jobs how many there are
     */
    public record ByRemainingWork(double factor, int place, int jobs) implements Weight {
        @Override
        public void addTo(Figures figures) {
            figures.with("placeByRemainingWork", place).with("jobs", jobs);
        }
    }

    /**
     * The weight depends on what the job had so far, and on the few ends that are believed.
     *
     * @param seconds its workers' GPUs times the seconds that it held them
     */
    public record ByService(double factor, double seconds) implements Weight {
        @Override
        public void addTo(Figures figures) {
            figures.with("gpuSecondsSoFar", seconds);
        }
    }

    /** As every other job. */
    public record Equal() implements Weight {
        @Override
        public double factor() {
            return 1;
        }

        @Override
        public void addTo(Figures figures) {}
    }

    /** Why a job got no more. */
    public sealed interface End {
        /** As the end of a sentence. */
        String words();

        /** Adds the figures behind the words. */
        default void addTo(Figures figures) {}
    }

    /** It gets nothing, because others make more of what its minimum would take. */
    public record Outweighed() implements End {
        @Override
        public String words() {
            return "other jobs gain more from the same resources";
        }
    }

    /** It has all that it can use. */
    public record AtMaximum() implements End {
        @Override
        public String words() {
            return "it is at its maximum";
        }
    }

    /** It has as much as it may try yet, because its speed is not known beyond. */
    public record Ramp(int times, Allocation largest) implements End {
        @Override
        public String words() {
            return "it may try at most " + times + " times the " + largest + " that it has run on so far";
        }
    }

    /** More would not help. */
    public record NotFaster() implements End {
        @Override
        public String words() {
            return "no larger size would make it faster";
        }
    }

    /** More would help it, and helps others more. */
    public record WorthMoreElsewhere(Allocation larger, double times) implements End {
        @Override
        public String words() {
            return larger + " would make it " + Words.faster(times)
                    + ", but other jobs gain more from the same resources";
        }

        @Override
        public void addTo(Figures figures) {
            figures.with("timesSpeedOnNextSize", times);
        }
    }
}
