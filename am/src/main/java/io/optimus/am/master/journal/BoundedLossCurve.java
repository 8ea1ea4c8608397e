package io.optimus.am.master.journal;

import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.List;

/**
 * A loss curve in bounded memory. When it is full, every two neighbours become one point with their mean loss, weighted
 * by steps, so that the curve keeps its shape over a job of any length.
 *
 * <p>Example with capacity 4: the points at steps 1, 2, 3, 4 with losses 8, 6, 4, 2 fill it. Before the next point is
 * added they become (2, 7), (4, 3).
 */
final class BoundedLossCurve {
    private final int capacity;
    private final List<LossPoint> points = new ArrayList<>();

    /** An empty curve of at most {@code capacity} points, an even number of at least 2. */
    BoundedLossCurve(int capacity) {
        if (capacity < 2 || capacity % 2 != 0) {
            throw new IllegalArgumentException(
                    "The capacity of a loss curve must be even and 2 or more; got " + capacity);
        }
        this.capacity = capacity;
    }

    /** Appends a point; ignores one that is not finite or not after the last step. */
    void add(LossPoint point) {
        if (!Double.isFinite(point.loss()) || point.step() <= lastStep()) {
            return;
        }
        if (points.size() == capacity) {
            halve();
        }
        points.add(point);
    }

    /** Training went back to {@code step}: losses from there on will come again. */
    void stepBackTo(long step) {
        points.removeIf(point -> point.step() >= step);
    }

    /** Returns a copy of the points, oldest first. */
    List<LossPoint> points() {
        return List.copyOf(points);
    }

    /** Returns all points and removes them. */
    List<LossPoint> drain() {
        List<LossPoint> drained = points();
        points.clear();
        return drained;
    }

    private long lastStep() {
        return points.isEmpty() ? -1 : points.get(points.size() - 1).step();
    }

    private void halve() {
        List<LossPoint> merged = new ArrayList<>();
        long before =
                points.get(0).step() - (points.get(1).step() - points.get(0).step());
        for (int i = 0; i < points.size(); i += 2) {
            LossPoint first = points.get(i);
            LossPoint second = points.get(i + 1);
            double firstSteps = first.step() - before;
            double secondSteps = second.step() - first.step();
            double loss = (first.loss() * firstSteps + second.loss() * secondSteps) / (firstSteps + secondSteps);
            merged.add(new LossPoint(second.step(), loss));
            before = second.step();
        }
        points.clear();
        points.addAll(merged);
    }
}
