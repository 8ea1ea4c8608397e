package io.optimus.sls.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;

/** Counts what a scheduler does, and how long its calls of {@code allocate} take; safe for any thread. */
public final class SchedulerRecord {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;

    private final Recorder elapsed = new Recorder(LONGEST_NANOS, DIGITS);
    private final Recorder processor = new Recorder(LONGEST_NANOS, DIGITS);
    private final LongAdder containers = new LongAdder();
    private final LongAdder heartbeats = new LongAdder();

    SchedulerRecord() {}

    /**
     * What was recorded over a period.
     *
     * @param elapsed nanoseconds of each call of {@code allocate}
     * @param processor nanoseconds of the processor in each call of {@code allocate}
     * @param containers containers granted
     * @param heartbeats heartbeats of nodes handled
     */
    public record Period(Histogram elapsed, Histogram processor, long containers, long heartbeats) {
        /** A percentile of the time of calls. */
        public double elapsedMicros(double percentile) {
            return micros(elapsed, percentile);
        }

        /** A percentile of the processor time in calls. */
        public double processorMicros(double percentile) {
            return micros(processor, percentile);
        }

        /** The number of calls. */
        public long calls() {
            return elapsed.getTotalCount();
        }

        private static double micros(Histogram nanos, double percentile) {
            return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
        }
    }

    Allocation allocate(Supplier<Allocation> call) {
        long processorBefore = THREADS.getCurrentThreadCpuTime();
        long before = System.nanoTime();
        Allocation allocation = call.get();
        long nanos = System.nanoTime() - before;
        long processorNanos = THREADS.getCurrentThreadCpuTime() - processorBefore;
        elapsed.recordValue(Math.min(nanos, LONGEST_NANOS));
        processor.recordValue(Math.min(processorNanos, LONGEST_NANOS));
        containers.add(allocation.getContainers().size());
        return allocation;
    }

    void handles(SchedulerEvent event) {
        if (event.getType() == SchedulerEventType.NODE_UPDATE) {
            heartbeats.increment();
        }
    }

    /** What was recorded since the last call. */
    public Period take() {
        return new Period(
                elapsed.getIntervalHistogram(),
                processor.getIntervalHistogram(),
                containers.sumThenReset(),
                heartbeats.sumThenReset());
    }
}
