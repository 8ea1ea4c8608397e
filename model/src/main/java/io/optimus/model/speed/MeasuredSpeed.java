package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A fitted function that gives way to what was measured: a size that ran is believed over the fit.
 *
 * @param fitted the fit
 * @param measured steps per second by allocation that ran
 */
public record MeasuredSpeed(SpeedFunction fitted, SortedMap<Allocation, Double> measured) implements SpeedFunction {
    /** Copies. */
    public MeasuredSpeed {
        measured = Collections.unmodifiableSortedMap(new TreeMap<>(measured));
    }

    @Override
    public double stepsPerSecond(Allocation allocation) {
        Double seen = measured.get(allocation);
        return seen != null ? seen : fitted.stepsPerSecond(allocation);
    }
}
