package io.optimus.am.wire;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts the connections of a server, each on a thread of its own, and serves callers that know the job's secret.
 *
 * <p>Strangers cannot keep tasks out. A task proves itself within milliseconds, so where too many callers have not done so, the
 * one that has waited longest is cut off for each new one: first among those of the address that has the most. The time that
 * each gets also shrinks with their number, from 10 s to 1 s.
 */
public final class ConnectionAcceptor implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);
    /** All tasks of a large job may connect at once. */
    static final int MOST_UNKNOWN = 512;

    private static final long LONGEST_MILLIS = 10_000;
    private static final long SHORTEST_MILLIS = 1_000;
    /** A server that is out of file handles waits this long before it tries again. */
    private static final long PAUSE_NANOS = 50_000_000;
    /** Between two lines of the log about strangers. */
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final JobSecret secret;
    private final BooleanSupplier isOpen;
    private final Executor threads;
    /** Callers that have not proved themselves, the oldest first. */
    private final Set<Unknown> unknown = new LinkedHashSet<>();

    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();
    private final AtomicLong refused = new AtomicLong();
    private long loggedNanos = System.nanoTime() - LOG_NANOS;

    /** A caller that has not proved itself. */
    private record Unknown(Closeable connection, InetAddress address, int number) {}

    /** Accepts callers that know {@code secret} while {@code isOpen}, and serves on {@code threads}. */
    public ConnectionAcceptor(JobSecret secret, BooleanSupplier isOpen, Executor threads) {
        this.secret = secret;
        this.isOpen = isOpen;
        this.threads = threads;
    }

    /** Waits for the next connection. */
    @FunctionalInterface
    public interface Accept<C extends Closeable> {
        C next() throws IOException;
    }

    /** Serves a connection. */
    @FunctionalInterface
    public interface Serve<C extends Closeable> {
        /** Returns when the connection has ended; it is closed then. */
        void connection(C connection, Handshake.Caller caller);
    }

    /** The number of callers so far that did not prove that they belong to the job. */
    public long refused() {
        return refused.get();
    }

    /** Accepts until the server is closed. */
    public <C extends Closeable> void run(Accept<C> accept, Function<C, Socket> socketOf, Serve<C> serve) {
        int number = 0;
        while (isOpen.getAsBoolean()) {
            try {
                C connection = accept.next();
                Socket socket = socketOf.apply(connection);
                begin(connection, socket, new Unknown(connection, socket.getInetAddress(), number++), serve);
            } catch (IOException | RuntimeException e) {
                LOG.debug("not accepted cause={}", e.toString());
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        close();
    }

    private <C extends Closeable> void begin(C connection, Socket socket, Unknown caller, Serve<C> serve)
            throws IOException {
        long millis = admit(caller);
        try {
            threads.execute(() -> serve(connection, socket, caller, millis, serve));
        } catch (RuntimeException | OutOfMemoryError e) {
            // The system throws the error where it has no thread left, which may pass.
            cutOff(caller);
            throw new IOException(e);
        }
    }

    private <C extends Closeable> void serve(C connection, Socket socket, Unknown caller, long millis, Serve<C> serve) {
        try (connection) {
            identify(socket, caller, millis).ifPresent(known -> serve.connection(connection, known));
        } catch (IOException e) {
            LOG.debug("connection not closed cause={}", e.toString());
        }
    }

    private Optional<Handshake.Caller> identify(Socket socket, Unknown caller, long millis) {
        try {
            Handshake.Caller known = Handshake.answer(socket, secret, millis);
            KeepAlive.on(socket);
            return Optional.of(known);
        } catch (IOException | RuntimeException e) {
            refused(socket, e);
            return Optional.empty();
        } finally {
            forget(caller);
        }
    }

    private void refused(Socket socket, Exception cause) {
        long sum = refused.incrementAndGet();
        synchronized (this) {
            if (!isOpen.getAsBoolean() || System.nanoTime() - loggedNanos < LOG_NANOS) {
                return;
            }
            loggedNanos = System.nanoTime();
        }
        LOG.warn("callers refused sum={} last={} cause={}", sum, socket.getRemoteSocketAddress(), cause.toString());
    }

    /** Returns the time that the caller has, in milliseconds. */
    private synchronized long admit(Unknown caller) {
        if (unknown.size() == MOST_UNKNOWN) {
            cutOff(longestWaiting());
        }
        unknown.add(caller);
        ofAddress.merge(caller.address, 1, Integer::sum);
        long crowding = unknown.size() * (LONGEST_MILLIS - SHORTEST_MILLIS) / MOST_UNKNOWN;
        return LONGEST_MILLIS - crowding;
    }

    private Unknown longestWaiting() {
        int most = ofAddress.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return unknown.stream()
                .filter(each -> ofAddress.getOrDefault(each.address, 0) == most)
                .findFirst()
                .orElseThrow();
    }

    /** Wakes the caller's thread. */
    private void cutOff(Unknown caller) {
        forget(caller);
        try {
            caller.connection.close();
        } catch (IOException e) {
            LOG.debug("stranger not cut off cause={}", e.toString());
        }
    }

    private synchronized void forget(Unknown caller) {
        if (unknown.remove(caller)) {
            ofAddress.computeIfPresent(caller.address, (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Cuts off all callers that have not proved themselves. */
    @Override
    public synchronized void close() {
        Set.copyOf(unknown).forEach(this::cutOff);
    }
}
