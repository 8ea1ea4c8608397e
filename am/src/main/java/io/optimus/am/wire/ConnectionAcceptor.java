package io.optimus.am.wire;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections for as long as a server lives, each on a thread of its own, but only so many of callers that have
 * not said yet who they are: strangers who connect and say nothing cost a bounded number of threads, for {@link
 * Handshake}'s time-out each, and nobody who was let in notices.
 */
public final class ConnectionAcceptor {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);
    /** All tasks of a large job may connect at once. */
    private static final int MOST_STRANGERS = 512;
    /** So that a server out of file handles does not spin until some are free. */
    private static final long PAUSE_NANOS = 50_000_000;

    private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
    private final BooleanSupplier isOpen;
    private final Executor threads;

    /** While {@code isOpen}, on {@code threads}. */
    public ConnectionAcceptor(BooleanSupplier isOpen, Executor threads) {
        this.isOpen = isOpen;
        this.threads = threads;
    }

    /** Waits for the next connection. */
    @FunctionalInterface
    public interface Accept<C extends Closeable> {
        /** The next one. */
        C next() throws IOException;
    }

    /** Serves a connection; {@code letIn} is to be run when the caller has proved who it is, or is gone; once. */
    @FunctionalInterface
    public interface Serve<C extends Closeable> {
        /** Until it ends. */
        void connection(C connection, Runnable letIn);
    }

    /** Accepts until the server is closed. */
    public <C extends Closeable> void run(Accept<C> accept, Serve<C> serve) {
        while (isOpen.getAsBoolean()) {
            try {
                C connection = accept.next();
                if (strangers.tryAcquire()) {
                    threads.execute(() -> serve.connection(connection, strangers::release));
                } else {
                    connection.close();
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("not accepted cause={}", e.toString());
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
