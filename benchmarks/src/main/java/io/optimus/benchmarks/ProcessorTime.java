package io.optimus.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The processor time that calls take, so that other processes on the machine do not matter. */
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

    /** Makes and counts one call. */
    <T> T of(Supplier<T> call) {
        long began = THREADS.getCurrentThreadCpuTime();
        T result = call.get();
        nanos += THREADS.getCurrentThreadCpuTime() - began;
        calls++;
        return result;
    }
}
