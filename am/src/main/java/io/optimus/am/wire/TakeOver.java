package io.optimus.am.wire;

import io.optimus.am.wire.Message.ServerAddress;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a task hears of another coordinator of its job. The task listens. A coordinator that takes over calls it, proves that it
 * knows the job's secret, and says where it is; the task then connects to it as it did to the one before.
 *
 * <pre>
 * coordinator → handshake as the task that it calls, attempt, host, port
 * task        → 1
 * </pre>
 */
public final class TakeOver implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
    private static final int CONNECT_MILLIS = 3_000;
    /** The port may be crowded by strangers. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(3);

    private final TaskEnvironment task;
    private final Consumer<Successor> successors;
    private final ServerSocket listening = new ServerSocket();
    private final ConnectionAcceptor callers;
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("take-over"));

    /**
     * A coordinator that takes over.
     *
     * @param attempt the ApplicationMaster's attempt, higher than that of every coordinator before
     * @param host the host or address at which tasks reach it
     * @param port the port that tasks connect to
     */
    public record Successor(int attempt, String host, int port) {}

    /**
     * Listens until it is closed.
     *
     * @param successors gets each coordinator that calls, on any thread
     */
    TakeOver(TaskEnvironment task, Consumer<Successor> successors) throws IOException {
        this.task = task;
        this.successors = successors;
        this.callers = new ConnectionAcceptor(task.secret(), () -> !listening.isClosed(), threads);
        task.ports().open(address -> {
            listening.bind(address);
            return listening;
        });
        threads.execute(() -> callers.run(listening::accept, socket -> socket, this::serve));
    }

    int port() {
        return listening.getLocalPort();
    }

    private void serve(Socket socket, Handshake.Caller caller) {
        try {
            if (caller.purpose() != Handshake.Purpose.TAKE_OVER
                    || !caller.task().equals(task.task())) {
                throw new IOException("a call for " + caller.task() + " to " + task.task());
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            socket.setSoTimeout(CONNECT_MILLIS);
            Successor successor = new Successor(in.readInt(), in.readUTF(), in.readInt());
            socket.getOutputStream().write(1);
            successors.accept(successor);
        } catch (IOException e) {
            LOG.info("no coordinator took over from={} cause={}", socket.getRemoteSocketAddress(), e.toString());
        }
    }

    /**
     * Tells a task where its coordinator is now.
     *
     * @throws IOException if the task does not answer at that address within seconds
     */
    public static void announce(ServerAddress task, Successor self, JobSecret secret) throws IOException {
        Calls.repeat(LONGEST_CALL, failure -> true, () -> call(task, self, secret))
                .close();
    }

    private static Socket call(ServerAddress task, Successor self, JobSecret secret) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(task.host(), task.port()), CONNECT_MILLIS);
            Handshake.call(socket, task.task(), Handshake.Purpose.TAKE_OVER, secret);
            socket.setSoTimeout(CONNECT_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(self.attempt());
            out.writeUTF(self.host());
            out.writeInt(self.port());
            out.flush();
            if (socket.getInputStream().read() != 1) {
                throw new IOException(task + " did not answer");
            }
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            LOG.debug("closing cause={}", e.toString());
        }
        callers.close();
        threads.shutdownNow();
    }
}
