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
import io.optimus.am.wire.TaskEnvironment;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One parameter server: follows the coordinator's orders and serves workers, until it is told to leave or the
 * coordinator is gone. Each connection has a thread, and another one while a large push is answered. Sending, saving and loading
 * a shard take long and have threads of their own, so that the coordinator's messages are always read.
 *
 * <p>Listens on all addresses, since the address by which other nodes reach this one is not known here: the host's own
 * name may mean the loopback. Every caller must prove within seconds that it knows the job's secret.
 */
public final class ParameterServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ParameterServer.class);
    /** The longest time until the coordinator is told of a step. */
    private static final long REPORT_MILLIS = 50;
    /** Connections that wait until they are accepted: those of all workers of a large job, and of strangers. */
    private static final int MOST_WAITING = 1024;

    private final TaskEnvironment environment;
    private final ServerSocketChannel listening;
    private final CoordinatorConnection coordinator;
    private final Map<ShardChannel, TaskId> connections = new ConcurrentHashMap<>();
    private final ConnectionAcceptor callers;
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
            environment.ports().open(address -> listening.bind(address, MOST_WAITING));
            this.coordinator = CoordinatorConnection.connect(environment);
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
        this.callers = new ConnectionAcceptor(environment.secret(), listening::isOpen, serving);
        this.moves = new ShardTransfers(coordinator, this::breakDown);
        this.saves = SaveQueue.at(coordinator);
    }

    /**
     * Serves until the end.
     *
     * @return why the coordinator told it to leave
     * @throws IOException when the coordinator is gone
     * @throws IllegalStateException when this server cannot go on; the coordinator has been told why
     */
    public String run() throws IOException {
        try (this) {
            String reason = followOrders();
            throwIfBroken();
            return reason;
        } catch (IOException e) {
            throwIfBroken();
            throw e;
        }
    }

    /** The coordinator counts a broken server as lost, and may tell it to leave before it ends. */
    private void throwIfBroken() {
        Throwable cause = broken;
        if (cause != null) {
            throw new IllegalStateException(cause);
        }
    }

    private String followOrders() throws IOException {
        Welcome welcome = coordinator.receiveWelcome();
        GradientAggregator aggregator = aggregator(welcome);
        coordinator.holds(aggregator::held);
        serving.execute(() -> accept(aggregator));
        periodic.add(DaemonThreads.every(REPORT_MILLIS, "report", () -> report(aggregator)));
        periodic.add(DaemonThreads.every(
                welcome.heartbeatMillis(),
                "heartbeat",
                () -> coordinator.send(Message.Alive.waiting(aggregator.step()))));
        ready();
        while (true) {
            Message.ToTask message = coordinator.receive();
            if (message instanceof Message.Leave leave) {
                if (broken == null) {
                    saves.finish();
                }
                return leave.reason();
            }
            follow(message, aggregator);
        }
    }

    private void ready() {
        coordinator.send(new Message.ServerReady(environment.host(), port()));
    }

    /** The port that workers and other servers connect to. */
    public int port() {
        return listening.socket().getLocalPort();
    }

    private GradientAggregator aggregator(Welcome welcome) {
        return welcome.mode() == TrainingMode.SYNCHRONOUS
                ? new SynchronousAggregator(welcome.wireFormat(), saves, welcome.checkpointEverySteps())
                : new AsynchronousAggregator(welcome.wireFormat());
    }

    private void follow(Message.ToTask message, GradientAggregator aggregator) throws IOException {
        if (message instanceof Welcome) {
            // Another coordinator has taken over.
            ready();
        } else if (message instanceof Message.Fence fence) {
            long step = aggregator.fence(fence.number());
            report(aggregator);
            coordinator.send(new Message.Fenced(fence.number(), step));
        } else if (message instanceof Place place) {
            place(place, aggregator);
        } else if (message instanceof Message.Prepare prepare) {
            moves.prepare(prepare, aggregator);
        } else if (message instanceof Message.SaveNow now) {
            report(aggregator);
            saves.save(aggregator.frozen(), now.number(), now.step());
        } else if (message instanceof Message.SaveBefore ordered
                && aggregator instanceof SynchronousAggregator synchronous) {
            synchronous.saveBefore(ordered);
        } else if (message instanceof Message.GoOn decided) {
            aggregator.goOn(decided.number(), decided.decision());
            tellOfDecision(aggregator);
        } else if (message instanceof Message.LastStep last
                && aggregator instanceof AsynchronousAggregator asynchronous) {
            asynchronous.end(last.number());
        } else if (!(message instanceof Message.StillHere)) {
            throw new IOException("Not for a parameter server: " + message);
        }
    }

    private void report(GradientAggregator aggregator) {
        // Only one thread reports at a time, so that no later batch of steps overtakes an earlier one.
        synchronized (coordinator) {
            aggregator.unreported().ifPresent(coordinator::send);
        }
    }

    private void place(Place order, GradientAggregator aggregator) {
        report(aggregator);
        Shard before;
        try {
            closeFormer(order.workers());
            before = aggregator.place(order);
        } catch (IOException e) {
            breakDown(e);
            return;
        }
        if (before.ranges().equals(order.hold())) {
            opened(order.number(), aggregator);
        } else {
            moves.begin(order, before, aggregator, () -> opened(order.number(), aggregator));
        }
    }

    /**
     * The host of a worker that was lost may be cut off; its connection would keep the memory of a gradient for minutes. Its last
     * answer may still be sent, too, from memory that the next steps write.
     */
    private void closeFormer(List<TaskId> workers) throws IOException {
        for (Map.Entry<ShardChannel, TaskId> connection : connections.entrySet()) {
            TaskId caller = connection.getValue();
            if (caller.role() == Role.WORKER && !workers.contains(caller)) {
                connection.getKey().close();
            }
        }
    }

    /** Tells the coordinator why this server cannot go on, and ends {@link #run}. */
    private void breakDown(Throwable cause) {
        LOG.error("cannot go on", cause);
        broken = cause;
        coordinator.send(new Message.Unable(
                cause instanceof OutOfMemoryError
                        ? "it ran out of memory (" + cause.getMessage()
                                + "); raise roles.ps.memoryMb or roles.ps.min, or lower roles.worker.max"
                        : cause.toString()));
        coordinator.close();
    }

    private void opened(MembershipNumber number, GradientAggregator aggregator) {
        if (aggregator.open(number)) {
            coordinator.send(new Message.Placed(number));
            tellOfDecision(aggregator);
        }
    }

    /** In synchronous training the first worker asks for the decision, which needs the losses of all steps before. */
    private void tellOfDecision(GradientAggregator aggregator) {
        aggregator.dueDecision().ifPresent(due -> {
            report(aggregator);
            if (aggregator instanceof AsynchronousAggregator) {
                coordinator.send(due);
            }
        });
    }

    private void accept(GradientAggregator aggregator) {
        callers.run(listening::accept, SocketChannel::socket, (channel, caller) -> serve(channel, caller, aggregator));
    }

    private void serve(SocketChannel socket, Handshake.Caller caller, GradientAggregator aggregator) {
        try (ShardChannel channel = ShardChannel.answer(socket, caller.purpose())) {
            serve(channel, caller.task(), aggregator);
        } catch (IOException | RuntimeException e) {
            LOG.debug("not served caller={} cause={}", caller.task(), e.toString());
        } catch (Error e) {
            breakDown(e);
        }
    }

    private void serve(ShardChannel channel, TaskId caller, GradientAggregator aggregator) {
        connections.put(channel, caller);
        try {
            while (true) {
                ShardHeader header = channel.readHeader();
                switch (header.kind()) {
                    case PUSH -> aggregator.push(channel, caller, header, () -> tellOfDecision(aggregator));
                    case PULL -> aggregator.answer(channel, header);
                    case MOVE -> moved(header, channel.readFloats(header), aggregator);
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
            connections.remove(channel);
        }
    }

    private void moved(ShardHeader header, ByteBuffer floats, GradientAggregator aggregator)
            throws InterruptedException {
        aggregator.awaitPlacement(header.number());
        Range range = new Range(header.place(), header.words() / (1 + aggregator.stateSlots()));
        aggregator.arrived(header.number(), range, floats.asFloatBuffer(), header.step());
        opened(header.number(), aggregator);
    }

    /** Ends all connections and threads without waiting. */
    @Override
    public void close() throws IOException {
        coordinator.close();
        listening.close();
        callers.close();
        for (ShardChannel channel : connections.keySet()) {
            channel.close();
        }
        periodic.forEach(ExecutorService::shutdownNow);
        serving.shutdownNow();
        moves.close();
        saves.close();
    }
}
