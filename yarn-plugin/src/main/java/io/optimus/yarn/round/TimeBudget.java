package io.optimus.yarn.round;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Computes on a thread of its own and gives up after a time, so that no policy can hold the round up. */
final class TimeBudget implements AutoCloseable {
    private final long millis;
    private final ExecutorService computer;
    private final AtomicBoolean computing = new AtomicBoolean();

    TimeBudget(long millis, String threadName) {
        this.millis = millis;
        this.computer = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What came of a computation. */
    sealed interface Outcome<T> {
        /** It ended in time. */
        record Done<T>(T result) implements Outcome<T> {}

        /** It threw. */
        record Failed<T>(Throwable cause) implements Outcome<T> {}

        /** It did not end in time; or an earlier one has not ended yet, and this one was not begun. */
        record Overran<T>(long budgetMillis) implements Outcome<T> {}
    }

    /** Waits for {@code computation} as long as the budget allows, then interrupts it. To be called by one thread. */
    <T> Outcome<T> within(Callable<T> computation) throws InterruptedException {
        if (computing.get()) {
            // One that heeds no interrupt must not be joined by a second.
            return new Outcome.Overran<>(millis);
        }
        Future<T> running = computer.submit(() -> {
            computing.set(true);
            try {
                return computation.call();
            } finally {
                computing.set(false);
            }
        });
        try {
            return new Outcome.Done<>(running.get(millis, TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return new Outcome.Failed<>(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            running.cancel(true);
            return new Outcome.Overran<>(millis);
        }
    }

    /** Interrupts what still runs. */
    @Override
    public void close() {
        computer.shutdownNow();
    }
}
