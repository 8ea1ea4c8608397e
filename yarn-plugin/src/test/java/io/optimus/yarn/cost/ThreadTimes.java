package io.optimus.yarn.cost;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/** The processor time of threads, by their names: other processes on the machine do not change it much. */
final class ThreadTimes {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadTimes() {}

    /** Processor time that all live threads have used whose names begin with {@code prefix}. */
    static double seconds(String prefix) {
        long nanos = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(prefix)) {
                nanos += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Processor time of this thread. */
    static long nanosOfThis() {
        return THREADS.getCurrentThreadCpuTime();
    }
}
