package io.optimus.am.progress;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedSample;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Measures steps per second of uninterrupted stepping, by the clock of the server that applied the steps. The first steps
 * of a membership are left out, since its connections and caches are cold. The very first sample takes a fifth of a window:
 * without a speed no end is predicted, and some jobs train for a few windows only. It weighs a fifth, since the scheduler
 * weighs a sample by its duration.
 */
public final class SpeedMeter {
    /** The speed of fewer steps is mostly random. */
    private static final int FEWEST_STEPS = 3;
    /** The part of a window that makes the first sample. */
    private static final double FIRST = 0.2;
    /** The smallest part of a window that still makes a sample when stepping ends. */
    private static final double SHORTEST = 0.25;

    private final long windowNanos;
    private @Nullable Allocation allocation;
    private boolean sampled;
    private int reports;
    private double startStep;
    private long startNanos;
    private double lastStep;
    private long lastNanos;
    private OptionalDouble recent = OptionalDouble.empty();

    /**
     * Has measured nothing yet.
     *
     * @param windowMillis uninterrupted stepping that makes one sample, in milliseconds
     */
    public SpeedMeter(long windowMillis) {
        this.windowNanos = windowMillis * 1_000_000;
    }

    /** Stepping with {@code running} begins. */
    public void begin(Allocation running) {
        allocation = running;
        reports = 0;
        recent = OptionalDouble.empty();
    }

    /**
     * Steps up to {@code step} were applied at {@code nanos}. Returns a sample when a window is full.
     *
     * @param step a whole number, or the steps of the initial batch that the steps are worth
     */
    public Optional<SpeedSample> applied(double step, long nanos) {
        reports++;
        if (allocation == null || reports == 1) {
            return Optional.empty();
        }
        if (reports == 2) {
            restart(step, nanos);
            return Optional.empty();
        }
        lastStep = step;
        lastNanos = nanos;
        Optional<SpeedSample> sample = sample(sampled ? 1 : FIRST);
        if (sample.isPresent()) {
            restart(step, nanos);
        }
        return sample;
    }

    /** Stepping ends. Returns a last sample if it lasted long enough. */
    public Optional<SpeedSample> end() {
        Optional<SpeedSample> sample = reports > 2 ? sample(SHORTEST) : Optional.empty();
        allocation = null;
        recent = OptionalDouble.empty();
        return sample;
    }

    /** The speed of the last sample in this membership. */
    public OptionalDouble stepsPerSecond() {
        return recent;
    }

    private Optional<SpeedSample> sample(double windows) {
        double steps = lastStep - startStep;
        long nanos = lastNanos - startNanos;
        if (allocation == null || steps < FEWEST_STEPS || nanos < windows * windowNanos || nanos <= 0) {
            return Optional.empty();
        }
        double seconds = nanos / 1e9;
        recent = OptionalDouble.of(steps / seconds);
        sampled = true;
        return Optional.of(new SpeedSample(allocation, steps / seconds, seconds));
    }

    private void restart(double step, long nanos) {
        startStep = step;
        startNanos = nanos;
        lastStep = step;
        lastNanos = nanos;
    }
}
