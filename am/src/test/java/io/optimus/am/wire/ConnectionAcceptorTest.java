package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.optimus.am.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class ConnectionAcceptorTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final JobSecret secret = JobSecret.random();
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("accept"));
    private final LinkedBlockingQueue<TaskId> served = new LinkedBlockingQueue<>();
    private final List<Socket> sockets = new ArrayList<>();
    /** Whether the system has no thread for the next caller. */
    private final AtomicBoolean noThread = new AtomicBoolean();

    private ServerSocket listening;
    private ConnectionAcceptor acceptor;

    @Before
    public void listen() throws IOException {
        listening = new ServerSocket(0, 1_000);
        acceptor = new ConnectionAcceptor(secret, () -> !listening.isClosed(), this::execute);
        threads.execute(
                () -> acceptor.run(listening::accept, socket -> socket, (socket, caller) -> served.add(caller.task())));
    }

    /** Runs on a thread of the acceptor's. */
    private void execute(Runnable serving) {
        if (noThread.getAndSet(false)) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        threads.execute(serving);
    }

    @After
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }

    private Socket connect(String from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort()), 5_000);
        sockets.add(socket);
        return socket;
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    public void cutsOffTheOldestOfTheAddressWithTheMostStrangers() throws Exception {
        Socket slow = connect("127.0.0.2");
        Socket oldest = connect("127.0.0.3");
        for (int i = 0; i < ConnectionAcceptor.MOST_UNKNOWN + 100; i++) {
            connect("127.0.0.3");
        }
        Await.until("the oldest is cut off", 20_000, () -> "open", () -> !isOpen(oldest));
        Await.until("all are counted", 20_000, () -> "refused " + acceptor.refused(), () -> acceptor.refused() > 100);

        Handshake.call(slow, TaskId.worker(3), Handshake.Purpose.CONTROL, secret);

        assertThat(served.take()).isEqualTo(TaskId.worker(3));
    }

    @Test
    public void goesOnWhenTheSystemHasNoThreadForACaller() throws Exception {
        noThread.set(true);
        Socket dropped = connect("127.0.0.2");
        Await.until("the caller is dropped", 20_000, () -> "open", () -> !isOpen(dropped));

        Handshake.call(connect("127.0.0.2"), TaskId.worker(3), Handshake.Purpose.CONTROL, secret);

        assertThat(served.take()).isEqualTo(TaskId.worker(3));
    }

    @Test
    public void strangersInGreatNumberHaveLessTime() throws Exception {
        Socket alone = connect("127.0.0.2");
        for (int i = 0; i < ConnectionAcceptor.MOST_UNKNOWN - 10; i++) {
            connect("127.0.0.3");
        }
        Socket last = connect("127.0.0.3");

        Await.until("the last one is cut off", 8_000, () -> "open", () -> !isOpen(last));
        assertThat(isOpen(alone)).isTrue();
    }

    @Test
    public void countsThoseThatDoNotKnowTheSecret() throws Exception {
        Socket socket = connect("127.0.0.2");

        assertThat(catchThrowable(
                        () -> Handshake.call(socket, TaskId.worker(3), Handshake.Purpose.CONTROL, JobSecret.random())))
                .isInstanceOf(RefusedException.class);
        socket.close();

        Await.until("it is counted", 20_000, () -> "refused " + acceptor.refused(), () -> acceptor.refused() == 1);
        assertThat(served).isEmpty();
    }
}
