package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.Await;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class CoordinatorConnectionTest {
    /** Far longer than the test. */
    private static final long SILENCE_MILLIS = 600_000;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Test
    public void followsANewCoordinatorWhileTheLostOneReadsNothing() throws Exception {
        TaskId worker = TaskId.worker(0);
        try (FakeCoordinatorSocket lost = new FakeCoordinatorSocket();
                FakeCoordinatorSocket next = new FakeCoordinatorSocket(lost.secret);
                CoordinatorConnection connection = CoordinatorConnection.connect(lost.environment(worker))) {
            Thread receiving = daemon(() -> receiveAll(connection));
            Message.Welcome welcome = new Message.Welcome(
                    TrainingMode.SYNCHRONOUS, WireFormat.FLOAT32, 4, 1, 100, 1_000, SILENCE_MILLIS, true);
            lost.send(welcome);
            Message.Reachable at = lost.receive(Message.Reachable.class);
            AtomicLong sent = new AtomicLong();
            Thread sending = daemon(() -> sendForever(connection, sent));
            awaitStandstill(sent);

            TakeOver.announce(
                    new ServerAddress(worker, at.host(), at.port()),
                    new Successor(2, "127.0.0.1", next.environment(worker).coordinatorPort()),
                    lost.secret);
            next.send(welcome);

            assertThat(next.receive(Message.Returned.class).kept()).isEmpty();
            sending.interrupt();
            connection.close();
            sending.join();
            receiving.join();
        }
    }

    @Test
    public void noticesCoordinatorsThatAreCutOffInSilence() throws IOException {
        try (FakeCoordinatorSocket coordinator = new FakeCoordinatorSocket();
                CoordinatorConnection link = CoordinatorConnection.connect(coordinator.environment(TaskId.server(0)));
                Socket transfer = openTransfer(coordinator, link.environment())) {
            assertThat(transfer.getKeepAlive()).isTrue();
        }
    }

    private static Socket openTransfer(FakeCoordinatorSocket coordinator, TaskEnvironment environment)
            throws IOException {
        coordinator.closeNextConnection();
        InetSocketAddress address = new InetSocketAddress(environment.coordinatorHost(), environment.coordinatorPort());
        return CoordinatorConnection.open(environment, () -> address, Handshake.Purpose.CHECKPOINT);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void receiveAll(CoordinatorConnection connection) {
        try {
            while (true) {
                connection.receive();
            }
        } catch (IOException e) {
            // The connection was closed.
        }
    }

    private static void sendForever(CoordinatorConnection connection, AtomicLong sent) {
        double[] losses = new double[1_000];
        while (!Thread.currentThread().isInterrupted()) {
            connection.send(new Message.Applied(new MembershipNumber(1, 0), sent.getAndIncrement(), losses, 0));
        }
    }

    /** Waits until the buffers between both ends are full. */
    private static void awaitStandstill(AtomicLong sent) {
        long[] lastAndSame = {-1, 0};
        Await.until("a call of send that waits", () -> {
            long now = sent.get();
            lastAndSame[1] = now > 0 && now == lastAndSame[0] ? lastAndSame[1] + 1 : 0;
            lastAndSame[0] = now;
            return lastAndSame[1] >= 100;
        });
    }
}
