package io.optimus.sls.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processor time of all threads of this JVM at one moment.
 *
 * @param nanosByThread processor time by thread id
 * @param names names of threads by id
 */
public record ThreadTimes(Map<Long, Long> nanosByThread, Map<Long, String> names) {
    /** The thread on which a scheduler handles its events. */
    public static final String EVENTS = "SchedulerEventDispatcher:Event Processor";
    /** The names of the threads of rounds begin with this. */
    public static final String ROUNDS = "optimus-";

    public ThreadTimes {
        nanosByThread = Map.copyOf(nanosByThread);
        names = Map.copyOf(names);
    }

    /** The times now. */
    public static ThreadTimes now() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<Long, Long> nanos = new TreeMap<>();
        Map<Long, String> names = new TreeMap<>();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            // A thread that has ended meanwhile is null, and has no time.
            if (thread != null) {
                nanos.put(thread.getThreadId(), Math.max(0, threads.getThreadCpuTime(thread.getThreadId())));
                names.put(thread.getThreadId(), thread.getThreadName());
            }
        }
        return new ThreadTimes(nanos, names);
    }

    /** Processor time since {@code earlier} of the threads whose names begin with {@code prefix}. */
    public long nanosSince(ThreadTimes earlier, String prefix) {
        return names.entrySet().stream()
                .filter(thread -> thread.getValue().startsWith(prefix))
                .map(Map.Entry::getKey)
                .mapToLong(id -> nanosByThread.getOrDefault(id, 0L) - earlier.nanosByThread.getOrDefault(id, 0L))
                .sum();
    }
}
