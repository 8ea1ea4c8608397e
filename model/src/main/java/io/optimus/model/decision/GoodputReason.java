package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The job's size is part of the division with the largest total value. Each job counts by its weight and by its speedup over an
 * equal part of the cluster.
 *
 * @param change what it gets
 * @param timesFair its new speed over that on an equal part, 0 or more
 * @param weight how much it counts
 * @param end why it got no more
 */
public record GoodputReason(SizeChange change, double timesFair, Weight weight, End end) implements AllocationReason {
    @Override
    public String sentence() {
        return change.words() + ": " + end.words();
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(end.kind());
    }

    @Override
    public Optional<Rival> rival() {
        return end.bid().map(bid -> Rival.byValue(bid.job(), bid.value(), bid.ownValue()));
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
        /** The factor of its value, above 0. */
        double factor();

        /** Adds the figures behind the factor. */
        void addTo(Figures figures);
    }

    /**
     * By its remaining work.
     *
     * @param place 1 for the job with the least work left
     * @param jobs number of jobs
     */
    public record ByRemainingWork(double factor, int place, int jobs) implements Weight {
        @Override
        public void addTo(Figures figures) {
            figures.with("placeByRemainingWork", place).with("jobs", jobs);
        }
    }

    /**
     * By its service so far, and by the few predicted ends that are trusted.
     *
     * @param seconds its workers' GPUs times the seconds that it held them
     */
    public record ByService(double factor, double seconds) implements Weight {
        @Override
        public void addTo(Figures figures) {
            figures.with("gpuSecondsSoFar", seconds);
        }
    }

    /** The same as every other job. */
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
        /** The words that end a sentence. */
        String words();

        /** What the words say. */
        ReasonKind kind();

        /** The job that has what this one would take next, if a single one has. */
        default Optional<Bid> bid() {
            return Optional.empty();
        }

        /** Adds the figures behind the words. */
        default void addTo(Figures figures) {}
    }

    /**
     * A job that has the resources of another job's next larger size. It gives up the least value if it has to release them: no
     * other single job could release them for less.
     *
     * @param job its id
     * @param value what it would lose of the total value
     * @param ownValue what the other job would add to it, at most {@code value}
     */
    public record Bid(String job, double value, double ownValue) {
        private static String words(Optional<Bid> bid) {
            return bid.map(known -> "job " + known.job() + " gains").orElse("other jobs gain")
                    + " more from the same resources";
        }

        private static void addTo(Figures figures, Optional<Bid> bid) {
            bid.ifPresent(known -> figures.with("valueOfNextSize", known.ownValue())
                    .with("valueElsewhere." + known.job(), known.value()));
        }
    }

    /** It gets nothing, because others gain more from the resources of its minimum. */
    public record Outweighed(Optional<Bid> bid) implements End {
        @Override
        public String words() {
            return Bid.words(bid);
        }

        @Override
        public void addTo(Figures figures) {
            Bid.addTo(figures, bid);
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.OUTBID;
        }
    }

    /** It has all that it can use. */
    public record AtMaximum() implements End {
        @Override
        public String words() {
            return "it is at its maximum";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.AT_MAXIMUM;
        }
    }

    /** It has as much as it may try so far, because its speed beyond is not known. */
    public record Ramp(int times, Allocation largest) implements End {
        @Override
        public String words() {
            return "it may try at most " + times + " times the " + largest + " that it has run on so far";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.GROWS_IN_STEPS;
        }
    }

    /** More would not help. */
    public record NotFaster() implements End {
        @Override
        public String words() {
            return "no larger size is expected to make it faster";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NO_GAIN;
        }
    }

    /** More than it has cannot have room: its queue and the nodes allow no more of its tasks. */
    public record NoMoreRoom() implements End {
        @Override
        public String words() {
            return "there is no room for more of its tasks";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NO_ROOM;
        }
    }

    /** More would make it faster, but has no room, whatever the jobs release that may. */
    public record NotReleased(Allocation larger, double times, Shortage shortage) implements End {
        @Override
        public String words() {
            return larger + " would make it " + Words.faster(times) + ", but " + shortage.words();
        }

        @Override
        public ReasonKind kind() {
            return shortage.kind();
        }

        @Override
        public void addTo(Figures figures) {
            figures.with("timesSpeedOnNextSize", times).with(shortage);
        }
    }

    /** More would make it faster, but not for long enough to make up for the pause of a resize. */
    public record LostInPause(Allocation larger, double times) implements End {
        @Override
        public String words() {
            return larger + " would make it " + Words.faster(times)
                    + ", and the resize would cost more than that gains";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.RESIZE_COST;
        }

        @Override
        public void addTo(Figures figures) {
            figures.with("timesSpeedOnNextSize", times);
        }
    }

    /** More would help it, but helps others more. */
    public record WorthMoreElsewhere(Allocation larger, double times, Optional<Bid> bid) implements End {
        @Override
        public String words() {
            return larger + " would make it " + Words.faster(times) + ", but " + Bid.words(bid);
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.OUTBID;
        }

        @Override
        public void addTo(Figures figures) {
            Bid.addTo(figures.with("timesSpeedOnNextSize", times), bid);
        }
    }
}
