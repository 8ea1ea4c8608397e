package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.Await;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.model.TrainingMode;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class CoordinatorConnectionTest {
    /** Far longer than the test. */
    private static final long SILENCE_MILLIS = 600_000;

    private static final Message.Welcome WELCOME =
            new Message.Welcome(TrainingMode.SYNCHRONOUS, WireFormat.FLOAT32, 4, 1, 100, 1_000, SILENCE_MILLIS, true);

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Test
    public void followsANewCoordinatorWhileTheLostOneReadsNothing() throws Exception {
        TaskId worker = TaskId.worker(0);
        try (FakeCoordinatorSocket lost = new FakeCoordinatorSocket();
                FakeCoordinatorSocket next = new FakeCoordinatorSocket(lost.secret);
                CoordinatorConnection connection = CoordinatorConnection.connect(lost.environment(worker))) {
            Thread receiving = daemon(() -> receiveAll(connection));
            lost.send(WELCOME);
            Message.Reachable at = lost.receive(Message.Reachable.class);
            AtomicLong sent = new AtomicLong();
            Thread sending = daemon(() -> sendForever(connection, sent));
            awaitStandstill(sent);

            TakeOver.announce(
                    new ServerAddress(worker, at.host(), at.port()),
                    new Successor(2, "127.0.0.1", next.environment(worker).coordinatorPort()),
                    lost.secret);
            next.send(WELCOME);

            assertThat(next.receive(Message.Returned.class).kept()).isEmpty();
            sending.interrupt();
            connection.close();
            sending.join();
            receiving.join();
        }
    }

    @Test
    public void callsANewCoordinatorAgainThatStandsStillAtFirst() throws Exception {
        TaskId worker = TaskId.worker(0);
        try (FakeCoordinatorSocket lost = new FakeCoordinatorSocket();
                ServerSocket listening = new ServerSocket(0);
                CoordinatorConnection connection = CoordinatorConnection.connect(lost.environment(worker))) {
            Thread receiving = daemon(() -> receiveAll(connection));
            lost.send(WELCOME);
            Message.Reachable at = lost.receive(Message.Reachable.class);
            TakeOver.announce(
                    new ServerAddress(worker, at.host(), at.port()),
                    new Successor(2, "127.0.0.1", listening.getLocalPort()),
                    lost.secret);

            listening.accept().close();
            try (Socket again = listening.accept()) {
                Handshake.answer(again, lost.secret, 10_000);
                MessageCodec.write(new DataOutputStream(again.getOutputStream()), WELCOME);
                assertThat(MessageCodec.read(new DataInputStream(again.getInputStream())))
                        .isInstanceOf(Message.Returned.class);
            }
            connection.close();
            receiving.join();
        }
    }

    @Test
    public void aNewCoordinatorEndsATransferThatTheLostOneDoesNotTake() throws Exception {
        TaskId server = TaskId.server(0);
        try (FakeCoordinatorSocket lost = new FakeCoordinatorSocket();
                FakeCoordinatorSocket next = new FakeCoordinatorSocket(lost.secret);
                CoordinatorConnection connection = CoordinatorConnection.connect(lost.environment(server))) {
            Thread receiving = daemon(() -> receiveAll(connection));
            lost.send(WELCOME);
            Message.Reachable at = lost.receive(Message.Reachable.class);
            AtomicLong sent = new AtomicLong();
            AtomicReference<IOException> failure = new AtomicReference<>();
            CompletableFuture<Socket> taken = lost.acceptNext();
            Thread sending = daemon(() -> transferForEver(connection, sent, failure));
            try (Socket unread = taken.get()) {
                awaitStandstill(sent);

                TakeOver.announce(
                        new ServerAddress(server, at.host(), at.port()),
                        new Successor(2, "127.0.0.1", next.environment(server).coordinatorPort()),
                        lost.secret);

                sending.join();
                assertThat(failure.get()).isNotNull();
                assertThat(unread.isClosed()).isFalse();
            }
            connection.close();
            receiving.join();
        }
    }

    @Test
    public void tellsANewCoordinatorOfManySteps() throws Exception {
        TaskId server = TaskId.server(0);
        int steps = 20_000;
        try (FakeCoordinatorSocket lost = new FakeCoordinatorSocket();
                FakeCoordinatorSocket next = new FakeCoordinatorSocket(lost.secret);
                CoordinatorConnection connection = CoordinatorConnection.connect(lost.environment(server))) {
            Thread receiving = daemon(() -> receiveAll(connection));
            lost.send(WELCOME);
            Message.Reachable at = lost.receive(Message.Reachable.class);
            lost.close();
            for (int step = 0; step < steps; step++) {
                connection.send(new Message.Applied(new MembershipNumber(1, 1), step, new double[] {step}, step));
            }
            TakeOver.announce(
                    new ServerAddress(server, at.host(), at.port()),
                    new Successor(2, "127.0.0.1", next.environment(server).coordinatorPort()),
                    lost.secret);
            next.send(WELCOME);

            List<Message.Applied> told = next.receive(Message.Returned.class).applied();

            assertThat(told.stream().flatMapToDouble(each -> DoubleStream.of(each.losses())))
                    .containsExactlyElementsOf(
                            IntStream.range(0, steps).asDoubleStream().boxed().toList());
            assertThat(told.get(0).first()).isZero();
            connection.close();
            receiving.join();
        }
    }

    private static void transferForEver(
            CoordinatorConnection connection, AtomicLong sent, AtomicReference<IOException> failure) {
        try {
            connection.transfer((in, out) -> {
                while (true) {
                    out.write(new byte[1 << 16]);
                    sent.incrementAndGet();
                }
            });
        } catch (IOException e) {
            failure.set(e);
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
