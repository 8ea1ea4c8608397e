package io.optimus.am.ps;

import io.optimus.am.wire.ConnectionAcceptor;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Place;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.ShardChannel;
import io.optimus.am.wire.ShardHeader;
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.model.TrainingMode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One parameter server: obeys the coordinator and serves workers, until it is told to leave or the coordinator is gone.
 * One thread a connection; what takes long (moving, saving, loading a shard) has threads of its own, so that the
 * coordinator's word is always heard.
 *
 * <p>Listens on all addresses, for which address other nodes reach this one by is not known here: the host's own name
 * may mean the loopback. Whoever connects must prove that it knows the job's secret, within seconds.
 */
public final class ParameterServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ParameterServer.class);
    /** How late the coordinator may hear of a step. */
    private static final long REPORT_MILLIS = 50;

    private final TaskEnvironment environment;
    private final ServerSocketChannel listening;
    private final CoordinatorConnection link;
    private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService serving = Executors.newCachedThreadPool(DaemonThreads.named("shards"));
    private final ShardTransfers moves;
    private final SaveQueue saves;
    private final List<ExecutorService> periodic = new CopyOnWriteArrayList<>();
    private volatile @Nullable Throwable broken;

    /** Connects to the coordinator that {@code environment} names. */
    public ParameterServer(TaskEnvironment environment) throws IOException {
        this.environment = environment;
        this.listening = ServerSocketChannel.open();
        try {
            environment.ports().open(listening::bind);
            this.link = CoordinatorConnection.connect(environment);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
        this.moves = new ShardTransfers(link, this::breakDown);
        this.saves = SaveQueue.at(link);
    }

    /**
     * Serves.
     *
     * @return why the coordinator let it go
     * @throws IOException when the coordinator is gone
     * @throws IllegalStateException when this server cannot go on, as the coordinator was told
     */
    public String run() throws IOException {
        try (this) {
            return obeyUntilToldToLeave();
        } catch (IOException e) {
            Throwable cause = broken;
            if (cause != null) {
                throw new IllegalStateException(cause);
            }
            throw e;
        }
    }

    private String obeyUntilToldToLeave() throws IOException {
        if (!(link.receive() instanceof Welcome welcome)) {
            throw new IOException("The coordinator did not say welcome first");
        }
        link.endAfterSilence(welcome.silenceMillis());
        GradientAggregator desk = desk(welcome);
        serving.execute(() -> accept(desk));
        periodic.add(DaemonThreads.every(REPORT_MILLIS, "report", () -> report(desk)));
        periodic.add(DaemonThreads.every(
                welcome.heartbeatMillis(), "heartbeat", () -> link.send(new Message.Alive(desk.step(), 0))));
        link.send(new Message.ServerReady(environment.host(), port()));
        while (true) {
            Message.ToTask message = link.receive();
            if (message instanceof Message.Leave leave) {
                saves.finish();
                return leave.reason();
            }
            obey(message, desk);
        }
    }

    /** Where workers and other servers connect to. */
    public int port() {
        return listening.socket().getLocalPort();
    }

    private GradientAggregator desk(Welcome welcome) {
        UpdateRule rule = UpdateRule.of(welcome.optimizer());
        return welcome.mode() == TrainingMode.SYNCHRONOUS
                ? new SynchronousAggregator(rule, saves, welcome.checkpointEverySteps())
                : new AsynchronousAggregator(rule);
    }

    private void obey(Message.ToTask message, GradientAggregator desk) throws IOException {
        if (message instanceof Message.Fence fence) {
            long step = desk.fence(fence.number());
            report(desk);
            link.send(new Message.Fenced(fence.number(), step));
        } else if (message instanceof Place place) {
            place(place, desk);
        } else if (message instanceof Message.SaveNow now) {
            report(desk);
            saves.save(desk.frozen(), now.number(), now.step());
        } else if (message instanceof Message.SaveBefore ordered && desk instanceof SynchronousAggregator synchronous) {
            synchronous.saveBefore(ordered);
        } else if (!(message instanceof Message.StillHere)) {
            throw new IOException("Not for a parameter server: " + message);
        }
    }

    private void report(GradientAggregator desk) {
        // One at a time, or a later batch of steps could overtake an earlier one.
        synchronized (link) {
            desk.unreported().ifPresent(link::send);
        }
    }

    private void place(Place order, GradientAggregator desk) {
        report(desk);
        Shard before;
        try {
            before = desk.place(order);
        } catch (IOException e) {
            breakDown(e);
            return;
        }
        if (order.sends().isEmpty() && order.checkpoint().isEmpty()) {
            opened(order.number(), desk);
        } else {
            moves.begin(order, before, desk, () -> opened(order.number(), desk));
        }
    }

    /** Tells the coordinator why this server is none any more, and ends {@link #run}. */
    private void breakDown(Throwable cause) {
        LOG.error("cannot go on", cause);
        broken = cause;
        link.send(new Message.Unable(
                cause instanceof OutOfMemoryError
                        ? "it ran out of memory (" + cause.getMessage()
                                + "); raise roles.ps.memoryMb or roles.ps.min, or lower roles.worker.max"
                        : cause.toString()));
        link.close();
    }

    private void opened(MembershipNumber number, GradientAggregator desk) {
        if (desk.open(number)) {
            link.send(new Message.Placed(number));
        }
    }

    private void accept(GradientAggregator desk) {
        new ConnectionAcceptor(listening::isOpen, serving)
                .run(listening::accept, (channel, letIn) -> serve(channel, letIn, desk));
    }

    private Handshake.Caller caller(SocketChannel socket, Runnable letIn) throws IOException {
        try {
            Handshake.Caller caller = Handshake.answer(socket.socket(), environment.secret());
            if (caller.purpose() != Handshake.Purpose.SHARDS) {
                throw new IOException(caller.task() + " took a parameter server for the coordinator");
            }
            return caller;
        } finally {
            letIn.run();
        }
    }

    private void serve(SocketChannel socket, Runnable letIn, GradientAggregator desk) {
        connections.add(socket);
        try (socket) {
            Handshake.Caller caller = caller(socket, letIn);
            ShardChannel channel = new ShardChannel(socket);
            while (true) {
                ShardHeader header = channel.readHeader();
                ByteBuffer floats = channel.readFloats(header);
                switch (header.kind()) {
                    case PUSH -> channel.write(desk.push(channel, caller.task(), header, floats.asFloatBuffer()));
                    case PULL -> channel.write(desk.pull(channel, header));
                    case MOVE -> moved(header, floats, desk);
                    case PARAMETERS, REFUSED -> throw new IOException("Not for a parameter server: " + header);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("connection ended cause={}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            breakDown(e);
        } finally {
            connections.remove(socket);
        }
    }

    private void moved(ShardHeader header, ByteBuffer floats, GradientAggregator desk) throws InterruptedException {
        Range range = new Range(header.place(), header.floats() / (1 + desk.stateSlots()));
        desk.awaitPlacement(header.number());
        desk.arrived(header.number(), range, floats.asFloatBuffer(), header.step());
        opened(header.number(), desk);
    }

    /** Ends it without waiting: all connections and threads. */
    @Override
    public void close() throws IOException {
        link.close();
        listening.close();
        for (SocketChannel channel : connections) {
            channel.close();
        }
        periodic.forEach(ExecutorService::shutdownNow);
        serving.shutdownNow();
        moves.close();
        saves.close();
    }
}
