package io.optimus.am.wire;

import io.optimus.am.engine.ProgramReport;
import io.optimus.am.wire.Message.Applied;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.Keep;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.TakeOver.Successor;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's end of its control connection. One thread receives, and any thread sends.
 *
 * <p>Where the coordinator lets it, a task that has lost the coordinator goes on, and waits here until another one takes over.
 * That one sends Welcome again. Whatever the lost coordinator had asked for is void then, so messages that could not be sent
 * are dropped. Only what no other process knows is told again: the losses of steps, and what a program has reported.
 */
public final class CoordinatorConnection implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorConnection.class);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int TRANSFER_BUFFER_BYTES = 1 << 16;
    private static final Duration LONGEST_CALL = Duration.ofMinutes(2);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** Wakes the thread that waits for another coordinator. */
    private static final Successor NONE = new Successor(0, "", 0);

    private final TaskEnvironment environment;
    private final BlockingQueue<Successor> successors = new LinkedBlockingQueue<>();
    private final Told told = new Told();
    /** The connection of the last transfer. */
    private final AtomicReference<@Nullable Socket> idle = new AtomicReference<>();
    /** The connections of transfers that have not ended. */
    private final Set<Socket> transferring = ConcurrentHashMap.newKeySet();

    private volatile InetSocketAddress address;
    private volatile Link link;
    private volatile Supplier<List<MembershipNumber>> held = List::of;
    private volatile boolean closed;
    /** Whether the coordinator is gone and no other one has taken over yet. */
    private volatile boolean alone;

    private volatile @Nullable TakeOver takeOver;
    /** Held apart from sending, which may wait for a coordinator that does not read. */
    private final Object following = new Object();

    private int lastAttempt;
    /** How long another coordinator is waited for; 0: not at all. Of the receiving thread. */
    private long waitMillis;

    private boolean welcomed;

    /** The connection to one coordinator. */
    private record Link(Socket socket, DataInputStream in, DataOutputStream out) {
        static Link of(Socket socket) throws IOException {
            return new Link(
                    socket,
                    new DataInputStream(new BufferedInputStream(socket.getInputStream())),
                    new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())));
        }

        /** Lets a read fail after {@code millis}. */
        void endAfterSilence(long millis) {
            try {
                socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
            } catch (SocketException e) {
                // It is closed, so the next read fails.
            }
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // Nothing is lost with it: every message is flushed when it is sent.
            }
        }
    }

    private CoordinatorConnection(TaskEnvironment environment, InetSocketAddress address, Socket socket)
            throws IOException {
        this.environment = environment;
        this.address = address;
        this.link = Link.of(socket);
    }

    /** Connects to the coordinator, again for two minutes where that fails: it may stand still. */
    public static CoordinatorConnection connect(TaskEnvironment environment) throws IOException {
        InetSocketAddress address = new InetSocketAddress(environment.coordinatorHost(), environment.coordinatorPort());
        return new CoordinatorConnection(
                environment, address, open(environment, () -> address, Handshake.Purpose.CONTROL));
    }

    /** Transfers a checkpoint or files. */
    @FunctionalInterface
    public interface Transfer<T> {
        /** Sends what is transferred, or asks for it, and returns what the coordinator answers. */
        T run(DataInputStream in, DataOutputStream out) throws IOException;
    }

    /**
     * Runs {@code transfer} on the connection of the one before. Where that one is broken, it runs again on a new one.
     *
     * @throws IOException the transfer's failure on a new connection
     */
    public <T> T transfer(Transfer<T> transfer) throws IOException {
        Socket earlier = idle.getAndSet(null);
        if (earlier != null) {
            try {
                return run(transfer, earlier);
            } catch (IOException e) {
                // The coordinator may have closed it meanwhile.
            }
        }
        return run(transfer, open(environment, () -> address, Handshake.Purpose.CHECKPOINT));
    }

    private <T> T run(Transfer<T> transfer, Socket on) throws IOException {
        T answer;
        transferring.add(on);
        try {
            answer = transfer.run(
                    new DataInputStream(new BufferedInputStream(on.getInputStream(), TRANSFER_BUFFER_BYTES)),
                    new DataOutputStream(new BufferedOutputStream(on.getOutputStream(), TRANSFER_BUFFER_BYTES)));
        } catch (IOException | RuntimeException e) {
            on.close();
            throw e;
        } finally {
            transferring.remove(on);
        }
        Socket other = idle.getAndSet(on);
        if (other != null) {
            other.close();
        }
        if (closed) {
            closeIdle();
        }
        return answer;
    }

    private void closeIdle() {
        Socket last = idle.getAndSet(null);
        if (last != null) {
            close(last);
        }
    }

    private static void close(Socket transfer) {
        try {
            transfer.close();
        } catch (IOException e) {
            // Its transfer has ended, or fails.
        }
    }

    static Socket open(TaskEnvironment environment, Supplier<InetSocketAddress> address, Handshake.Purpose purpose)
            throws IOException {
        return Calls.repeat(LONGEST_CALL, failure -> true, () -> call(environment, address.get(), purpose));
    }

    private static Socket call(TaskEnvironment environment, InetSocketAddress address, Handshake.Purpose purpose)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            KeepAlive.on(socket);
            socket.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_MILLIS);
            Handshake.call(socket, environment.task(), purpose, environment.secret());
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    public TaskId self() {
        return environment.task();
    }

    /** The job's secret and this task's host, for connections to other tasks. */
    public TaskEnvironment environment() {
        return environment;
    }

    /** Sets what a parameter server says of the memberships whose shards it holds, for a coordinator that takes over. */
    public void holds(Supplier<List<MembershipNumber>> memberships) {
        held = memberships;
    }

    /**
     * Returns the first message of the first coordinator.
     *
     * @throws IOException when the coordinator is gone, or does not want this task
     */
    public Welcome receiveWelcome() throws IOException {
        ToTask first = receive();
        if (first instanceof Welcome welcome) {
            return welcome;
        }
        throw new IOException(
                first instanceof Message.Leave leave
                        ? "The coordinator does not want this task: " + leave.reason()
                        : "The coordinator did not send Welcome first");
    }

    /**
     * Returns the next message. The first one of each coordinator is Welcome.
     *
     * @throws IOException when the coordinator is gone or silent, and no other one has taken over
     */
    public ToTask receive() throws IOException {
        while (true) {
            ToTask message = next();
            if (message instanceof Keep keep) {
                told.keep(keep);
                continue;
            }
            if (message instanceof Welcome welcome) {
                begin(welcome);
            } else if (message instanceof Message.Leave) {
                // No other coordinator needs to wait for a task that leaves.
                closeTakeOver();
            }
            return message;
        }
    }

    private ToTask next() throws IOException {
        while (true) {
            Message message;
            try {
                message = MessageCodec.read(link.in());
            } catch (IOException e) {
                awaitSuccessor(e);
                continue;
            }
            if (message instanceof ToTask toTask) {
                return toTask;
            }
            throw new IOException("The coordinator sent a task's message: " + message);
        }
    }

    private void begin(Welcome welcome) {
        link.endAfterSilence(welcome.silenceMillis());
        if (welcomed) {
            returnTo(held.get());
        }
        welcomed = true;
        alone = false;
        waitMillis = welcome.awaitsSuccessor() ? welcome.silenceMillis() : 0;
        if (welcome.awaitsSuccessor()) {
            listen();
        }
        if (closed) {
            close();
        }
    }

    /** Nothing is told between what this message has and the message itself. */
    private synchronized void returnTo(List<MembershipNumber> holding) {
        send(told.told(holding));
    }

    private void listen() {
        try {
            TakeOver listening = takeOver;
            if (listening == null) {
                listening = new TakeOver(environment, this::follow);
                takeOver = listening;
            }
            send(new Message.Reachable(environment.host(), listening.port()));
        } catch (IOException e) {
            LOG.warn("no other coordinator can take this task over cause={}", e.toString());
        }
    }

    /** Another coordinator has taken over. The one before may not know yet. */
    private void follow(Successor successor) {
        synchronized (following) {
            if (successor.attempt() > lastAttempt) {
                lastAttempt = successor.attempt();
                Link before = link;
                successors.add(successor);
                before.close();
            }
        }
    }

    private void awaitSuccessor(IOException cause) throws IOException {
        alone = true;
        link.close();
        closeIdle();
        // The system would send what a host that is gone does not take for some 15 minutes.
        transferring.forEach(CoordinatorConnection::close);
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        if (waitMillis > 0 && !closed) {
            LOG.warn("the coordinator is gone, another one is waited for cause={}", cause.toString());
        }
        Successor successor = null;
        Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
        while (true) {
            long pause = successor == null ? Long.MAX_VALUE : backoff.next();
            Successor newer = nextSuccessor(Math.min(pause, untilNanos - System.nanoTime()));
            successor = newer == null ? successor : newer;
            boolean isOver = closed || Thread.currentThread().isInterrupted() || System.nanoTime() - untilNanos >= 0;
            if (successor == null || isOver) {
                throw cause;
            }
            address = new InetSocketAddress(successor.host(), successor.port());
            try {
                Link next = Link.of(call(environment, address, Handshake.Purpose.CONTROL));
                next.endAfterSilence(waitMillis);
                link = next;
                if (closed) {
                    next.close();
                }
                LOG.info("coordinator={}:{} attempt={}", successor.host(), successor.port(), successor.attempt());
                return;
            } catch (RefusedException e) {
                LOG.warn("the coordinator that took over does not know this task cause={}", e.toString());
                successor = null;
            } catch (IOException e) {
                // It may stand still, and go on.
                LOG.warn("the coordinator that took over does not answer cause={}", e.toString());
            }
        }
    }

    /** Returns null if there is none within {@code nanos}. */
    private @Nullable Successor nextSuccessor(long nanos) {
        try {
            return successors.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Whether there is a coordinator as far as is known; what is sent otherwise is lost. */
    public boolean isConnected() {
        return !alone;
    }

    /** Sends. Nothing is thrown if the coordinator is gone, since {@link #receive} notices. */
    public synchronized void send(FromTask message) {
        told.telling(message);
        Link now = link;
        try {
            MessageCodec.write(now.out(), message);
        } catch (IOException e) {
            now.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        successors.add(NONE);
        link.close();
        closeIdle();
        closeTakeOver();
    }

    private void closeTakeOver() {
        TakeOver listening = takeOver;
        if (listening != null) {
            listening.close();
        }
    }

    /** What a coordinator that takes over is told again: all that is not in what the one before last said to keep. */
    private static final class Told {
        /** Far more than are told between two messages to keep something; all losses fit into a message, with 25 bytes each. */
        private static final int MOST_STEPS = 1 << 19;

        private static final int MOST_REPORTS = 10_000;
        /** Up to this number, steps that follow one another are kept together. */
        private static final int STEPS_TOGETHER = 1_000;

        private final Deque<Applied> applied = new ArrayDeque<>();
        private final Deque<ProgramReport> reports = new ArrayDeque<>();
        private Optional<Keep> kept = Optional.empty();

        synchronized void keep(Keep keep) {
            kept = Optional.of(keep);
            // A membership that goes back to a checkpoint does steps again that an older one has reported.
            applied.removeIf(steps ->
                    steps.number().isOlderThan(keep.number()) || steps.first() + steps.losses().length <= keep.step());
            reports.removeIf(report -> report.step() < keep.step());
        }

        synchronized void telling(FromTask message) {
            if (message instanceof Applied steps) {
                add(steps);
            } else if (message instanceof Message.Reported reported) {
                if (reports.size() == MOST_REPORTS) {
                    reports.removeFirst();
                }
                reports.addLast(reported.report());
            }
        }

        private void add(Applied steps) {
            Applied last = applied.peekLast();
            if (last != null && last.losses().length < STEPS_TOGETHER && follows(steps, last)) {
                applied.removeLast();
                applied.addLast(together(last, steps));
            } else {
                applied.addLast(steps);
            }
            Applied first = applied.getFirst();
            if (steps.first() - first.first() > MOST_STEPS) {
                applied.removeFirst();
            }
        }

        private static boolean follows(Applied steps, Applied last) {
            return steps.number().equals(last.number()) && steps.first() == last.first() + last.losses().length;
        }

        private static Applied together(Applied first, Applied second) {
            int count = first.losses().length;
            double[] losses = Arrays.copyOf(first.losses(), count + second.losses().length);
            System.arraycopy(second.losses(), 0, losses, count, second.losses().length);
            return new Applied(first.number(), first.first(), losses, second.nanos());
        }

        synchronized Message.Returned told(List<MembershipNumber> held) {
            return new Message.Returned(kept, List.copyOf(applied), List.copyOf(reports), held);
        }
    }
}
