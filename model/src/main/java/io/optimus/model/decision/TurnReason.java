package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * It is the job's turn: it gets the whole size that its owner asked for, or keeps its present size if that has no room.
 *
 * @param change what it gets
 * @param size the size that it is to get
 * @param asked the size that its owner asked for; larger than {@code size} if it has no room, whatever other jobs release
 * @param order why it is its turn; empty if jobs are served in order of arrival
 */
public record TurnReason(SizeChange change, Allocation size, Allocation asked, Optional<Order> order)
        implements AllocationReason {
    @Override
    public String sentence() {
        if (!change.to().equals(size)) {
            return change.words() + ": it gets " + size + " when there is room";
        }
        return change.words()
                + (size.equals(asked)
                        ? ": that is the size it asked for"
                        : ": it asked for " + asked + ", and more than this has no room now");
    }

    @Override
    public List<ReasonKind> kinds() {
        if (!change.to().equals(size)) {
            return change.kinds(ReasonKind.NO_ROOM);
        }
        return change.kinds(size.equals(asked) ? ReasonKind.AS_ASKED : ReasonKind.ASKS_TOO_MUCH);
    }

    @Override
    public SortedMap<String, Double> figures() {
        Figures figures = new Figures();
        order.ifPresent(by -> by.addTo(figures));
        return figures.all();
    }

    /** The order of the jobs. */
    public sealed interface Order {
        /** Adds the figures by which the job was compared. */
        void addTo(Figures figures);
    }

    /**
     * How near a job is to its end.
     *
     * @param seconds to its end on the size that it asked for, with the cost of a start; infinite if it does not step
     * @param before how many jobs come before it
     */
    public record NearestEnd(double seconds, int before) implements Order {
        @Override
        public void addTo(Figures figures) {
            figures.with("secondsToEnd", seconds).with("jobsBefore", before);
        }
    }

    /**
     * The service that a job had so far.
     *
     * @param gpuSeconds GPUs that it held, summed over time
     * @param threshold the GPU seconds from which on jobs that held less come first
     * @param before how many jobs come before it
     */
    public record AttainedService(double gpuSeconds, double threshold, int before) implements Order {
        @Override
        public void addTo(Figures figures) {
            figures.with("gpuSecondsSoFar", gpuSeconds)
                    .with("gpuSecondsThreshold", threshold)
                    .with("jobsBefore", before);
        }
    }
}
