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
 * The owner thread: the one thread that reads and changes the ApplicationMaster's state. Other threads post events, so
 * nothing is shared or locked.
 *
 * <p>An event that throws is a programming error: {@code onFault} is called, and the loop goes on.
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

    /** Runs {@code event} after those posted before; drops it once the loop is closed. */
    void post(Runnable event) {
        try {
            executor.execute(guarded(event));
        } catch (RejectedExecutionException closed) {
            LOG.debug("The loop is closed; an event is dropped");
        }
    }

    /** Computes a value on the owner thread and waits for it; must not be called by that thread. */
    <T> T ask(Callable<T> question, Duration timeout) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return question.call();
                            } catch (Exception fault) {
                                throw new CompletionException(fault);
                            }
                        },
                        executor)
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Runs {@code event} repeatedly, with {@code pause} between two runs. */
    void every(Duration pause, Runnable event) {
        ScheduledFuture<?> unused = executor.scheduleWithFixedDelay(
                guarded(event), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs {@code event} once, {@code delay} from now. */
    void after(Duration delay, Runnable event) {
        ScheduledFuture<?> unused = executor.schedule(guarded(event), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Drops events that have not run yet and ends the thread. */
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
