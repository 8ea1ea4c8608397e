package io.optimus.am.master.journal;

import io.optimus.am.engine.ProgramReport;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Losses, speeds, resizes and allocations of the job so far, in bounded memory: all of them for the page and for a
 * scheduler that starts without them, and those that are new since the last report.
 */
public final class TrainingHistory {
    /** The protocol's limits. */
    private static final int LOSSES = 512;

    private static final int SPEEDS = 64;
    private static final int STEP_TIMES = 64;
    private static final int RESIZES = 64;

    /** A report is sent every few seconds. */
    private static final int LOSSES_IN_REPORT = 128;

    /** The page's chart shows no more. */
    private static final int ALLOCATIONS = 512;

    /** A program that reports more names than people read does so by mistake. */
    private static final int METRICS = 100;

    private final BoundedLossCurve losses = new BoundedLossCurve(LOSSES);
    private final BoundedLossCurve newLosses = new BoundedLossCurve(LOSSES_IN_REPORT);
    private final Deque<PlacedSpeed> speeds = new ArrayDeque<>();
    private final Deque<PlacedSpeed> newSpeeds = new ArrayDeque<>();
    private final Deque<PlacedSteps> stepTimes = new ArrayDeque<>();
    private final Deque<PlacedSteps> newStepTimes = new ArrayDeque<>();
    private final Deque<ResizeRecord> resizes = new ArrayDeque<>();
    private final Deque<ResizeRecord> newResizes = new ArrayDeque<>();
    private final SortedMap<String, Double> metrics = new TreeMap<>();
    private final TrainingMode mode;
    private OptionalLong bend = OptionalLong.empty();
    private OptionalLong newBend = OptionalLong.empty();

    public TrainingHistory(TrainingMode mode) {
        this.mode = mode;
    }

    public void addLoss(LossPoint point) {
        losses.add(point);
        newLosses.add(point);
    }

    /** Remembers the last value of each figure, of at most 100. */
    public void addReport(ProgramReport report) {
        report.values().forEach((name, value) -> {
            if (Double.isFinite(value) && (metrics.size() < METRICS || metrics.containsKey(name))) {
                metrics.put(name, value);
            }
        });
    }

    public void addSpeed(PlacedSpeed speed) {
        addLast(speeds, speed, SPEEDS);
        addLast(newSpeeds, speed, SPEEDS);
    }

    /** Adds mean times of the steps of a job that adapts its batch. */
    public void addStepTimes(PlacedSteps steps) {
        addLast(stepTimes, steps, STEP_TIMES);
        addLast(newStepTimes, steps, STEP_TIMES);
    }

    public void addResize(ResizeRecord resize) {
        addLast(resizes, resize, ALLOCATIONS);
        addLast(newResizes, resize, RESIZES);
        if (changesStaleness(resize)) {
            bend = OptionalLong.of(resize.step());
            newBend = bend;
        }
    }

    /** Training went back to {@code step}: losses from there on will come again. */
    public void stepBackTo(long step) {
        losses.stepBackTo(step);
        newLosses.stepBackTo(step);
    }

    /** The loss curve, thinned to at most 512 points. */
    public List<LossPoint> losses() {
        return losses.points();
    }

    /** The last value of each figure that the job's program has reported. */
    public SortedMap<String, Double> metrics() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(metrics));
    }

    /** The first step of the present loss curve, if another curve came before it. */
    public OptionalLong bend() {
        return bend;
    }

    /** The last 64 speeds, oldest first. */
    public List<PlacedSpeed> speeds() {
        return List.copyOf(speeds);
    }

    /** The last 64 step times, oldest first. */
    public List<PlacedSteps> stepTimes() {
        return List.copyOf(stepTimes);
    }

    /** The last 512 resizes, oldest first. */
    public List<ResizeRecord> resizes() {
        return List.copyOf(resizes);
    }

    /** The last resizes that a registration carries, oldest first. */
    public List<ResizeRecord> lastResizes() {
        List<ResizeRecord> all = resizes();
        return all.subList(Math.max(0, all.size() - RESIZES), all.size());
    }

    /** What is new since the last call. A bend stays new until a loss beyond it was returned. */
    public News takeNews() {
        News news = new News(
                newLosses.drain(), newBend, List.copyOf(newSpeeds), List.copyOf(newStepTimes), List.copyOf(newResizes));
        newSpeeds.clear();
        newStepTimes.clear();
        newResizes.clear();
        if (newBend.isPresent() && news.losses().stream().anyMatch(point -> point.step() >= newBend.getAsLong())) {
            newBend = OptionalLong.empty();
        }
        return news;
    }

    /** What is new since the last report. */
    public record News(
            List<LossPoint> losses,
            OptionalLong bend,
            List<PlacedSpeed> speeds,
            List<PlacedSteps> stepTimes,
            List<ResizeRecord> resizes) {}

    /**
     * A measured speed and where it was measured.
     *
     * @param sample the measurement, with the number of nodes if they are known
     * @param workerNode YARN's id of a node with a worker, whose GPU type the speed belongs to; empty if unknown
     */
    public record PlacedSpeed(SpeedSample sample, Optional<String> workerNode) {
        /** Adds the place where {@code members} stepped, by node; unknown if they are not the sample's tasks. */
        public static PlacedSpeed of(SpeedSample sample, SortedMap<String, Allocation> members) {
            return all(members).equals(sample.allocation())
                    ? new PlacedSpeed(sample.on(members.size()), anyWorkersNode(members))
                    : new PlacedSpeed(sample, Optional.empty());
        }
    }

    /**
     * Measured step times and where they were measured.
     *
     * @param times the measurement
     * @param workerNode YARN's id of a node with a worker, whose GPU type the times belong to; empty if unknown
     */
    public record PlacedSteps(ThroughputObservation times, Optional<String> workerNode) {
        /**
         * Adds the place where {@code members} stepped, by node, whose number also counts nodes on one host; unknown if they
         * are not the workers of {@code times}.
         */
        public static PlacedSteps of(ThroughputObservation times, SortedMap<String, Allocation> members) {
            return all(members).workers() == times.replicas()
                    ? new PlacedSteps(
                            new ThroughputObservation(
                                    members.size(),
                                    times.replicas(),
                                    times.atomicBatch(),
                                    times.accumulatedStepSeconds(),
                                    times.stepSeconds()),
                            anyWorkersNode(members))
                    : new PlacedSteps(times, Optional.empty());
        }
    }

    private static Allocation all(SortedMap<String, Allocation> members) {
        return members.values().stream().reduce(Allocation.NONE, Allocation::plus);
    }

    private static Optional<String> anyWorkersNode(SortedMap<String, Allocation> members) {
        return members.entrySet().stream()
                .filter(node -> node.getValue().workers() > 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** An asynchronous worker computes on parameters that the other workers have changed meanwhile. */
    private boolean changesStaleness(ResizeRecord resize) {
        return mode == TrainingMode.ASYNCHRONOUS
                && resize.from().workers() > 0
                && resize.from().workers() != resize.to().workers();
    }

    private static <T> void addLast(Deque<T> items, T item, int capacity) {
        if (items.size() == capacity) {
            items.removeFirst();
        }
        items.addLast(item);
    }
}
