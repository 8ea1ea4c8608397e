package io.optimus.am.ps;

import static io.optimus.am.ps.ShardConnection.workers;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.FakeCoordinatorSocket;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.Transfer;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.Updates;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class ParameterServerTest {
    private static final MembershipNumber NONE = new MembershipNumber(1, 0);
    private static final MembershipNumber FIRST = new MembershipNumber(1, 1);
    private static final Ranges ALL = new Ranges(List.of(new Range(0, 2)));
    private static final Updates UPDATES =
            Updates.of(new Optimizer.Sgd(1, 0, 0), 1, List.of(ParameterBlock.parameter("all", 2)));

    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    private FakeCoordinatorSocket coordinator;
    private ParameterServer server;
    private CompletableFuture<String> running;

    @Before
    public void start() throws IOException {
        coordinator = new FakeCoordinatorSocket();
        server = new ParameterServer(coordinator.environment(TaskId.server(0)));
        running = CompletableFuture.supplyAsync(this::run);
        coordinator.welcome();
        coordinator.receive(Message.ServerReady.class);
    }

    private String run() {
        try {
            return server.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @After
    public void close() throws IOException {
        server.close();
        coordinator.close();
    }

    @Test
    public void saysWhomItCannotSendItsShardTo() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        Transfer transfer = new Transfer(new ServerAddress(TaskId.server(1), "127.0.0.1", closed), ALL);
        coordinator.send(new Place(FIRST, NONE, workers(1), 0, ALL, UPDATES, List.of(transfer), "", true));

        Message.NotDone failed = coordinator.receive(Message.NotDone.class);
        assertThat(failed.number()).isEqualTo(FIRST);
        assertThat(failed.because()).isEqualTo(TaskId.server(1));
        assertThat(failed.reason()).contains("cannot send its shard to ps-1", "refused");
    }

    @Test
    public void saysWhichCheckpointItCannotLoad() throws IOException {
        coordinator.closeNextConnection();
        coordinator.send(new Place(FIRST, NONE, workers(1), 0, ALL, UPDATES, List.of(), "checkpoint-7", true));

        Message.NotDone failed = coordinator.receive(Message.NotDone.class);
        assertThat(failed.because()).isEqualTo(TaskId.server(0));
        assertThat(failed.reason()).contains("cannot load checkpoint-7");
    }

    @Test
    public void saysThatItCouldNotSave() throws IOException {
        coordinator.closeNextConnection();
        coordinator.send(new Message.SaveNow(FIRST, 7));

        assertThat(coordinator.receive(Message.NotDone.class).reason()).contains("before step 7 is not saved");
    }

    /** A worker that was lost may not have closed its connection, which keeps the memory of a gradient. */
    @Test
    public void closesTheConnectionsOfWorkersThatAreNoMembersAnyMore() throws IOException {
        Ranges none = Ranges.NONE;
        ServerAddress address = new ServerAddress(TaskId.server(0), "127.0.0.1", server.port());
        try (ShardChannel stays = ShardChannel.callByNetwork(address, coordinator.environment(TaskId.worker(0)));
                ShardChannel goes = ShardChannel.callByNetwork(address, coordinator.environment(TaskId.worker(1)))) {
            coordinator.send(new Place(FIRST, NONE, workers(2), 0, none, UPDATES, List.of(), "", true));
            coordinator.receive(Message.Placed.class);
            for (ShardChannel worker : List.of(stays, goes)) {
                assertThat(pull(worker, FIRST)).isEqualTo(Kind.PARAMETERS);
            }
            MembershipNumber second = FIRST.next();
            coordinator.send(new Place(second, FIRST, workers(1), 0, none, UPDATES, List.of(), "", true));

            assertThat(goes.awaitCut()).as("closed, not cut").isFalse();
            coordinator.receive(Message.Placed.class);
            assertThat(pull(stays, second)).isEqualTo(Kind.PARAMETERS);
        }
    }

    private static Kind pull(ShardChannel worker, MembershipNumber number) throws IOException {
        worker.send(ShardHeader.plain(Kind.PULL, number, 0, 0), new float[0], List.of());
        return worker.readHeader().kind();
    }

    @Test
    public void endsWithItsReasonWhenItCannotGoBackAsFarAsItIsTold() throws IOException {
        receiveShard();
        coordinator.send(impossible());

        assertThat(coordinator.receive(Message.Unable.class).reason()).contains("Cannot go to step 5");
        assertThatItFails();
    }

    /** The exit status of its process says why it ended, also where the coordinator counts it as lost first. */
    @Test
    public void endsWithItsReasonAlsoWhenItIsToldToLeaveThen() throws IOException {
        receiveShard();
        coordinator.send(impossible(), new Message.Leave("it counts as lost"));

        assertThatItFails();
    }

    private void receiveShard() throws IOException {
        coordinator.send(new Place(FIRST, NONE, workers(1), 0, ALL, UPDATES, List.of(), "", true));
        ServerAddress address = new ServerAddress(TaskId.server(0), "127.0.0.1", server.port());
        try (ShardChannel other = ShardChannel.call(address, coordinator.environment(TaskId.server(1)))) {
            other.begin(new ShardHeader(Kind.MOVE, false, FIRST, 0, 0, 0, 1, 0, 2))
                    .putFloat(1)
                    .putFloat(2);
            other.send();
            coordinator.receive(Message.Placed.class);
        }
    }

    private static Place impossible() {
        return new Place(FIRST.next(), FIRST, workers(1), 5, ALL, UPDATES, List.of(), "", true);
    }

    private void assertThatItFails() {
        assertThat(running)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withRootCauseInstanceOf(IOException.class)
                .withStackTraceContaining("Cannot go to step 5");
    }
}
