package io.optimus.yarn.round;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Runs computations on a thread of its own and gives up after a time, so that no policy can block the round. */
final class TimeBudget implements AutoCloseable {
    private final LongSupplier millis;
    private final ExecutorService computer;
    private final AtomicBoolean computing = new AtomicBoolean();
    private volatile boolean open = true;

    /**
     * Limits computations.
     *
     * @param millis the time limit, asked for at the start of each computation
     */
    TimeBudget(LongSupplier millis, String threadName) {
        this.millis = millis;
        this.computer = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, threadName);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Waits for {@code computation} as long as the budget allows, then interrupts it. One thread may call this.
     *
     * @throws ExecutionException if the computation throws
     * @throws TimeoutException if it does not end in time, or if an earlier one has not ended yet; this one is then not
     *     started
     */
    <T> T within(Callable<T> computation) throws InterruptedException, ExecutionException, TimeoutException {
        if (computing.get()) {
            // An earlier computation ignores its interrupt: no second one may run beside it.
            throw new TimeoutException("an earlier computation still runs");
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
            return running.get(millis.getAsLong(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            running.cancel(true);
            throw e;
        }
    }

    /** Whether the scheduler still wants results; false as soon as it stops. */
    boolean isOpen() {
        return open;
    }

    /** From now on nobody wants results; a computation that runs goes on. */
    void end() {
        open = false;
    }

    /** Interrupts a computation that still runs. */
    @Override
    public void close() {
        end();
        computer.shutdownNow();
    }
}
