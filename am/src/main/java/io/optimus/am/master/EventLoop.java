package io.optimus.am.master;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns the ApplicationMaster's state. Others post what happened; nothing is shared, nothing locked.
 *
 * <p>An event that throws is a programming error: it is handed to {@code onFault}, and the loop goes on.
 */
final class EventLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);

    private final ScheduledThreadPoolExecutor executor;
    private final Consumer<Throwable> onFault;

    EventLoop(Consumer<Throwable> onFault) {
        this.onFault = onFault;
        this.executor = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "owner");
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs {@code event} after those posted before; nothing happens once the loop is closed. */
    void post(Runnable event) {
        try {
            executor.execute(guarded(event));
        } catch (RejectedExecutionException closed) {
            LOG.debug("The loop is closed, an event is dropped");
        }
    }

    /** Asks the owner thread for a value; must not be called by that thread. */
    <T> T ask(Callable<T> question, Duration atMost) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return question.call();
                            } catch (Exception fault) {
                                throw new CompletionException(fault);
                            }
                        },
                        executor)
                .orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Runs {@code event} again and again, {@code pause} after its last end. */
    void every(Duration pause, Runnable event) {
        ScheduledFuture<?> unused = executor.scheduleWithFixedDelay(
                guarded(event), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs {@code event} once, {@code delay} from now. */
    void after(Duration delay, Runnable event) {
        ScheduledFuture<?> unused = executor.schedule(guarded(event), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Drops what has not run yet and ends the thread. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    private Runnable guarded(Runnable event) {
        return () -> {
            try {
                event.run();
            } catch (RuntimeException | Error fault) {
                LOG.error("An event failed", fault);
                onFault.accept(fault);
            }
        };
    }
}
