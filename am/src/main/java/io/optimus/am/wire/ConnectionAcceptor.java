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
 * Accepts the connections of a server, each on a thread of its own. The number of callers that are not identified yet is
 * bounded. So callers that connect and send nothing keep few threads, each until the time-out of {@link Handshake}, and do
 * not disturb known callers.
 */
public final class ConnectionAcceptor {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);
    /** All tasks of a large job may connect at once. */
    private static final int MOST_UNKNOWN = 512;
    /** A server that is out of file handles waits this long before it tries again. */
    private static final long PAUSE_NANOS = 50_000_000;

    private final Semaphore unknown = new Semaphore(MOST_UNKNOWN);
    private final BooleanSupplier isOpen;
    private final Executor threads;

    /** Accepts while {@code isOpen}, and serves on {@code threads}. */
    public ConnectionAcceptor(BooleanSupplier isOpen, Executor threads) {
        this.isOpen = isOpen;
        this.threads = threads;
    }

    /** Waits for the next connection. */
    @FunctionalInterface
    public interface Accept<C extends Closeable> {
        C next() throws IOException;
    }

    /** Serves a connection. Runs {@code identified} once, when the caller is identified or gone. */
    @FunctionalInterface
    public interface Serve<C extends Closeable> {
        /** Returns when the connection has ended. */
        void connection(C connection, Runnable identified);
    }

    /** Accepts until the server is closed. */
    public <C extends Closeable> void run(Accept<C> accept, Serve<C> serve) {
        while (isOpen.getAsBoolean()) {
            try {
                C connection = accept.next();
                if (unknown.tryAcquire()) {
                    threads.execute(() -> serve.connection(connection, unknown::release));
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
