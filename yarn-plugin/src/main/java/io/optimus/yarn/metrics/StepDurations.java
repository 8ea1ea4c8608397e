package io.optimus.yarn.metrics;

import io.optimus.model.plan.Planner;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How long the steps of one round took. A step that runs several times counts with the sum.
 *
 * <p>Thread-safe: the policy of a round that was given up may still run.
 */
public final class StepDurations implements Planner.Steps {
    private final LongSupplier clockNanos;
    private final Map<RoundStep, LongAdder> nanos = zeros();

    /** Measures by {@code clockNanos}, in nanoseconds. */
    public StepDurations(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /** Runs {@code work} as a part of {@code step} and returns its result. */
    public <T> T of(RoundStep step, Supplier<T> work) {
        long started = clockNanos.getAsLong();
        try {
            return work.get();
        } finally {
            add(step, clockNanos.getAsLong() - started);
        }
    }

    /** Runs {@code work} as a part of {@code step}. */
    public void run(RoundStep step, Runnable work) {
        of(step, () -> {
            work.run();
            return step;
        });
    }

    @Override
    public <T> T allocate(Supplier<T> step) {
        return of(RoundStep.ALLOCATE, step);
    }

    @Override
    public <T> T place(Supplier<T> step) {
        return of(RoundStep.PLACE, step);
    }

    private static Map<RoundStep, LongAdder> zeros() {
        Map<RoundStep, LongAdder> zeros = new EnumMap<>(RoundStep.class);
        for (RoundStep step : RoundStep.values()) {
            zeros.put(step, new LongAdder());
        }
        return zeros;
    }

    /** Adds {@code more} nanoseconds to {@code step}. */
    private void add(RoundStep step, long more) {
        LongAdder sum = nanos.get(step);
        if (sum != null) {
            sum.add(more);
        }
    }

    /** Adds the times of {@code other}. */
    void add(StepDurations other) {
        other.nanos.forEach((step, sum) -> add(step, sum.sum()));
    }

    /** How long {@code step} has taken so far, in whole milliseconds. */
    long millis(RoundStep step) {
        LongAdder sum = nanos.get(step);
        return sum == null ? 0 : TimeUnit.NANOSECONDS.toMillis(sum.sum());
    }
}
