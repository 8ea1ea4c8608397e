package io.optimus.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Counts the processor time of calls, which other processes on the machine do not affect. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The nanoseconds of all calls. */
    public long nanos;

    public long calls;

    @Setup(Level.Iteration)
    public void reset() {
        nanos = 0;
        calls = 0;
    }

    /** Makes one call, and counts it and its time. */
    <T> T of(Supplier<T> call) {
        long began = THREADS.getCurrentThreadCpuTime();
        T result = call.get();
        nanos += THREADS.getCurrentThreadCpuTime() - began;
        calls++;
        return result;
    }
}
