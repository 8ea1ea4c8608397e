package io.optimus.yarn.round;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a step of the control loop that hangs, such as one that waits for a lock of YARN's: says so in REST, and once in
 * the log with the stack of the thread. It does not end the step: a lock cannot be given up.
 */
final class Watchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final long LOOK_MILLIS = TimeUnit.SECONDS.toMillis(1);
    private static final long NO_STEP = Long.MIN_VALUE;

    private final Thread watched;
    private final RoundTimer.Clock clock;
    private final LongSupplier limitMillis;
    private final Thread thread = new Thread(this::watch, "optimus-watchdog");
    private volatile long sinceMillis = NO_STEP;

    /**
     * Watches a thread.
     *
     * @param limitMillis how long a step may take, asked for at each look
     */
    Watchdog(Thread watched, RoundTimer.Clock clock, LongSupplier limitMillis) {
        this.watched = watched;
        this.clock = clock;
        this.limitMillis = limitMillis;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** A step begins. */
    void begins() {
        sinceMillis = clock.millis();
    }

    /** The step has ended. */
    void ends() {
        sinceMillis = NO_STEP;
    }

    /** What is wrong now, with its remedy; empty if nothing is. */
    Optional<String> problem() {
        long since = sinceMillis;
        long now = clock.millis();
        return since == NO_STEP || now - since < limitMillis.getAsLong()
                ? Optional.empty()
                : Optional.of("A round has hung for " + TimeUnit.MILLISECONDS.toSeconds(now - since)
                        + " s, and the last plan stays. Remedy: the ResourceManager's log shows where it hangs;"
                        + " if it does not end, fail over.");
    }

    private void watch() {
        long logged = NO_STEP;
        try {
            while (true) {
                Thread.sleep(LOOK_MILLIS);
                long since = sinceMillis;
                if (since != logged && problem().isPresent()) {
                    LOG.warn("round hangs, the last plan stays", stackOf(watched));
                    logged = since;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An exception for the log, with the present stack of {@code thread}. */
    static Exception stackOf(Thread thread) {
        Exception where = new Exception("stack of " + thread.getName());
        where.setStackTrace(thread.getStackTrace());
        return where;
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
