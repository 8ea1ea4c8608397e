package io.optimus.sls.measure;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Calls of {@code allocate}, and what they granted; safe for any thread. */
final class AllocateCalls {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int DIGITS = 3;

    private final Recorder elapsed = new Recorder(LONGEST_NANOS, DIGITS);
    private final Recorder processor = new Recorder(LONGEST_NANOS, DIGITS);
    private final LongAdder containers = new LongAdder();

    /**
     * Calls over a period.
     *
     * @param elapsed time of a call, waiting for locks and processors included
     * @param processor processor time in a call
     * @param calls how many
     * @param containers containers that they granted
     */
    public record Period(Percentiles elapsed, Percentiles processor, long calls, long containers) {}

    void add(long elapsedNanos, long processorNanos, int granted) {
        elapsed.recordValue(Math.min(elapsedNanos, LONGEST_NANOS));
        processor.recordValue(Math.min(processorNanos, LONGEST_NANOS));
        containers.add(granted);
    }

    /** The calls since the last time. */
    Period take() {
        Histogram times = elapsed.getIntervalHistogram();
        return new Period(
                Percentiles.of(times),
                Percentiles.of(processor.getIntervalHistogram()),
                times.getTotalCount(),
                containers.sumThenReset());
    }
}
