package io.optimus.am.master.journal;

import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.List;

/**
 * A loss curve in bounded memory: when it is full, every two neighbours become one point, the mean of both weighted by
 * their steps, so that the curve keeps its shape over a job of any length.
 *
 * <p>Example with room for 4: points at steps 1, 2, 3, 4 with losses 8, 6, 4, 2 are full; the next one makes them
 * (2, 7), (4, 3) first.
 */
final class BoundedLossCurve {
    private final int capacity;
    private final List<LossPoint> points = new ArrayList<>();

    /** Room for {@code capacity} points, an even number of at least 2. */
    BoundedLossCurve(int capacity) {
        if (capacity < 2 || capacity % 2 != 0) {
            throw new IllegalArgumentException("A loss history wants an even capacity of 2 or more, got " + capacity);
        }
        this.capacity = capacity;
    }

    /** Appends a point; one that is not finite or does not rise over the last step is left out. */
    void add(LossPoint point) {
        if (!Double.isFinite(point.loss()) || point.step() <= lastStep()) {
            return;
        }
        if (points.size() == capacity) {
            halve();
        }
        points.add(point);
    }

    /** Training went back to {@code step}: what came from then on will come again. */
    void goBackTo(long step) {
        points.removeIf(point -> point.step() >= step);
    }

    /** Oldest first; a copy. */
    List<LossPoint> points() {
        return List.copyOf(points);
    }

    /** All points, which are forgotten. */
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
