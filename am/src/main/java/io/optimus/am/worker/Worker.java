package io.optimus.am.worker;

import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.TaskEnvironment;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker: loads its engine, and follows the coordinator's orders, one at a time, until it is told to leave, the engine
 * fails or the coordinator is gone.
 * Only the calling thread uses the engine. A second thread receives, so that messages are read during a step.
 */
public final class Worker implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final EngineSource source;
    private final CoordinatorConnection coordinator;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final ExecutorService receiving = Executors.newSingleThreadExecutor(DaemonThreads.named("receive"));
    private final List<ExecutorService> periodic = new CopyOnWriteArrayList<>();
    private volatile @Nullable Loaded loaded;

    /** What a worker can do once its engine is loaded. */
    private record Loaded(WorkerEngine engine, TrainingLoop loop) {}

    /** Loads a worker's engine. */
    @FunctionalInterface
    public interface EngineSource {
        /**
         * Returns a loaded engine.
         *
         * @throws IOException if the data set cannot be read
         */
        WorkerEngine load() throws IOException;
    }

    /** The next thing that the calling thread does. */
    private sealed interface Order {
        record Do(ToTask message) implements Order {}

        record End(String reason) implements Order {}

        record Lost(IOException cause) implements Order {}

        record Failed(RuntimeException cause) implements Order {}
    }

    /**
     * Connects to the coordinator.
     *
     * @param source loads the engine, which is closed with this worker
     */
    public Worker(TaskEnvironment environment, EngineSource source) throws IOException {
        this.source = source;
        this.coordinator = CoordinatorConnection.connect(environment);
    }

    /**
     * Works until the end.
     *
     * @return why the coordinator told it to leave
     * @throws IOException when the coordinator is gone
     */
    public String run() throws IOException, InterruptedException {
        try (this) {
            Welcome welcome = coordinator.receiveWelcome();
            periodic.add(
                    DaemonThreads.every(welcome.heartbeatMillis(), "heartbeat", () -> coordinator.send(heartbeat())));
            receiving.execute(this::receive);
            try {
                Loaded ready = load(welcome);
                coordinator.send(ready(ready.engine));
                return follow(ready.loop);
            } catch (RuntimeException | Error e) {
                LOG.error("cannot go on", e);
                coordinator.send(new Message.Unable(reason(e)));
                throw e;
            }
        }
    }

    private Loaded load(Welcome welcome) {
        try {
            WorkerEngine engine = source.load();
            TrainingLoop loop = engine.match(
                    gradients -> new ServerTraining(welcome, gradients, coordinator),
                    group -> new GroupTraining(welcome, group, coordinator));
            Loaded ready = new Loaded(engine, loop);
            loaded = ready;
            engine.reportTo(report -> coordinator.send(new Message.Reported(report)));
            engine.failTo(cause -> end(new Order.Failed(cause)));
            return ready;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private Message.WorkerReady ready(WorkerEngine engine) {
        Optional<ServerAddress> rendezvous = engine.match(
                gradients -> Optional.empty(),
                group -> Optional.of(new ServerAddress(
                        coordinator.self(), coordinator.environment().host(), group.rendezvousPort())));
        return new Message.WorkerReady(engine.blocks(), engine.trainingSamples(), engine.programSettings(), rendezvous);
    }

    private Message.Alive heartbeat() {
        Loaded ready = loaded;
        return ready == null ? Message.Alive.waiting(0) : ready.loop.heartbeat();
    }

    private String follow(TrainingLoop loop) throws IOException, InterruptedException {
        while (true) {
            Order order = orders.take();
            if (order instanceof Order.End end) {
                return end.reason;
            } else if (order instanceof Order.Lost lost) {
                throw lost.cause;
            } else if (order instanceof Order.Failed failed) {
                throw failed.cause;
            } else if (order instanceof Order.Do todo) {
                loop.perform(todo.message);
            }
        }
    }

    /** The lack of memory that {@code failure} tells of, else the failure itself. */
    static Throwable outOfMemory(Throwable failure) {
        return failure.getCause() instanceof OutOfMemoryError error ? error : failure;
    }

    private static String reason(Throwable cause) {
        if (outOfMemory(cause) instanceof OutOfMemoryError error) {
            return "it ran out of memory (" + error.getMessage() + "); raise roles.worker.memoryMb";
        }
        return cause instanceof UncheckedIOException unchecked
                ? String.valueOf(unchecked.getMessage())
                : cause.toString();
    }

    private void receive() {
        try {
            while (true) {
                ToTask message = coordinator.receive();
                Loaded ready = loaded;
                if (message instanceof Welcome) {
                    tellReady(ready);
                } else if (message instanceof Message.Leave leave) {
                    end(new Order.End(leave.reason()));
                    return;
                } else if (!(message instanceof Message.StillHere)
                        && !(ready != null && ready.loop.performAtOnce(message))) {
                    orders.add(new Order.Do(message));
                }
            }
        } catch (IOException e) {
            end(new Order.Lost(e));
        }
    }

    /** Another coordinator has taken over. A worker that still loads tells it later. */
    private void tellReady(@Nullable Loaded ready) {
        if (ready != null) {
            coordinator.send(ready(ready.engine));
        }
    }

    /** Ends the calling thread's work, also while it waits for other tasks. */
    private void end(Order order) {
        orders.add(order);
        Loaded ready = loaded;
        try {
            if (ready != null) {
                ready.loop.close();
            }
        } catch (IOException e) {
            LOG.debug("closing cause={}", e.toString());
        }
    }

    /** Ends connections, threads and the engine without waiting. */
    @Override
    public void close() throws IOException {
        coordinator.close();
        periodic.forEach(ExecutorService::shutdownNow);
        receiving.shutdownNow();
        Loaded ready = loaded;
        if (ready != null) {
            ready.loop.close();
            ready.engine.close();
        }
    }
}
