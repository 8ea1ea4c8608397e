package io.optimus.am.wire;

import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ToTask;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A task's end of its control connection. One thread receives, and any thread sends. */
public final class CoordinatorConnection implements Closeable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final Duration LONGEST_CALL = Duration.ofMinutes(2);

    private final TaskEnvironment environment;
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    /** The connection of the last transfer. */
    private final AtomicReference<@Nullable Socket> idle = new AtomicReference<>();

    private CoordinatorConnection(TaskEnvironment environment, Socket socket) throws IOException {
        this.environment = environment;
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Connects to the coordinator, again for two minutes where that fails: it may stand still. */
    public static CoordinatorConnection connect(TaskEnvironment environment) throws IOException {
        return new CoordinatorConnection(environment, open(environment, Handshake.Purpose.CONTROL));
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
        return run(transfer, open(environment, Handshake.Purpose.CHECKPOINT));
    }

    private <T> T run(Transfer<T> transfer, Socket on) throws IOException {
        T answer;
        try {
            answer = transfer.run(CheckpointTransfer.input(on), CheckpointTransfer.output(on));
        } catch (IOException | RuntimeException e) {
            on.close();
            throw e;
        }
        Socket other = idle.getAndSet(on);
        if (other != null) {
            other.close();
        }
        if (socket.isClosed()) {
            closeIdle();
        }
        return answer;
    }

    private void closeIdle() throws IOException {
        Socket last = idle.getAndSet(null);
        if (last != null) {
            last.close();
        }
    }

    static Socket open(TaskEnvironment environment, Handshake.Purpose purpose) throws IOException {
        return Calls.repeat(LONGEST_CALL, failure -> true, () -> call(environment, purpose));
    }

    private static Socket call(TaskEnvironment environment, Handshake.Purpose purpose) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            KeepAlive.on(socket);
            socket.connect(
                    new InetSocketAddress(environment.coordinatorHost(), environment.coordinatorPort()),
                    CONNECT_MILLIS);
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

    /** Lets {@link #receive} fail after {@code millis} without a message. */
    public void endAfterSilence(long millis) throws IOException {
        socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
    }

    /**
     * Returns the next message.
     *
     * @throws IOException when the coordinator is gone or silent
     */
    public ToTask receive() throws IOException {
        Message message = MessageCodec.read(in);
        if (message instanceof ToTask toTask) {
            return toTask;
        }
        throw new IOException("The coordinator sent a task's message: " + message);
    }

    /** Sends. Nothing is thrown if the coordinator is gone, since {@link #receive} fails then. */
    public synchronized void send(FromTask message) {
        try {
            MessageCodec.write(out, message);
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            closeIdle();
        } catch (IOException e) {
            // Nothing is lost with it: every message is flushed when it is sent.
        }
    }
}
