package io.optimus.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a call costs its thread: time on a processor, so that it does not matter who else wants one. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Nanoseconds of all calls. */
    public long nanos;

    /** How many calls. */
    public long calls;

    /** Begins to count. */
    @Setup(Level.Iteration)
    public void reset() {
        nanos = 0;
        calls = 0;
    }

    /** Counts one call. */
    <T> T of(Supplier<T> call) {
        long began = THREADS.getCurrentThreadCpuTime();
        T result = call.get();
        nanos += THREADS.getCurrentThreadCpuTime() - began;
        calls++;
        return result;
    }
}
