package io.optimus.sim.truth;

import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The losses that a real job reported. */
public final class RecordedLosses implements LossSource {
    private final List<LossPoint> points;
    private int shown;

    /** Replays points, which may be in any order. */
    public RecordedLosses(List<LossPoint> points) {
        this.points = points.stream()
                .sorted(Comparator.comparingLong(LossPoint::step))
                .toList();
    }

    @Override
    public List<LossPoint> showUntil(double step) {
        List<LossPoint> now = new ArrayList<>();
        while (shown < points.size() && points.get(shown).step() < step) {
            now.add(points.get(shown++));
        }
        return now;
    }
}
