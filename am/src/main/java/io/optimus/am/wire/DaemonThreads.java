package io.optimus.am.wire;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes threads that do not keep a process alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Makes threads {@code name-1}, {@code name-2}, and so on. */
    public static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs {@code task} periodically on one thread, until the executor is shut down or the task throws. */
    public static ScheduledExecutorService every(long millis, String name, Runnable task) {
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(named(name));
        ScheduledFuture<?> unused = executor.scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS);
        return executor;
    }
}
