package io.optimus.am.worker;

import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.wire.CheckpointClient;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Begin;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskEnvironment;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
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
    private final ServerConnections servers;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final ExecutorService receiving = Executors.newSingleThreadExecutor(DaemonThreads.named("receive"));
    private final ExecutorService connecting = Executors.newSingleThreadExecutor(DaemonThreads.named("connect"));
    private final List<ExecutorService> periodic = new CopyOnWriteArrayList<>();
    private volatile @Nullable Steps loaded;

    /** What a worker can do once its engine is loaded. */
    private record Steps(TrainingEngine engine, StepLoop loop, long seed) {}

    /** Loads a worker's engine. */
    @FunctionalInterface
    public interface EngineSource {
        /**
         * Returns a loaded engine.
         *
         * @throws IOException if the data set cannot be read
         */
        TrainingEngine load() throws IOException;
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
        this.servers = new ServerConnections(environment.task(), environment.secret());
    }

    /**
     * Works until the end.
     *
     * @return why the coordinator told it to leave
     * @throws IOException when the coordinator is gone
     */
    public String run() throws IOException, InterruptedException {
        try (this) {
            if (!(coordinator.receive() instanceof Welcome welcome)) {
                throw new IOException("The coordinator did not send Welcome first");
            }
            coordinator.endAfterSilence(welcome.silenceMillis());
            periodic.add(
                    DaemonThreads.every(welcome.heartbeatMillis(), "heartbeat", () -> coordinator.send(heartbeat())));
            receiving.execute(this::receive);
            try {
                Steps steps = load(welcome);
                coordinator.send(new Message.WorkerReady(
                        steps.engine.blocks(), steps.engine.trainingSamples(), steps.engine.programSettings()));
                return follow(steps);
            } catch (RuntimeException | Error e) {
                LOG.error("cannot go on", e);
                coordinator.send(new Message.Unable(reason(e)));
                throw e;
            }
        }
    }

    private Steps load(Welcome welcome) {
        try {
            TrainingEngine engine = source.load();
            Steps steps = new Steps(engine, new StepLoop(welcome, engine, coordinator, servers), welcome.seed());
            loaded = steps;
            engine.reportTo(report -> coordinator.send(new Message.Reported(report)));
            engine.failTo(cause -> end(new Order.Failed(cause)));
            return steps;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private Message.Alive heartbeat() {
        Steps steps = loaded;
        return steps == null ? new Message.Alive(0, 0) : steps.loop.heartbeat();
    }

    private String follow(Steps steps) throws IOException, InterruptedException {
        while (true) {
            Order order = orders.take();
            if (order instanceof Order.End end) {
                return end.reason;
            } else if (order instanceof Order.Lost lost) {
                throw lost.cause;
            } else if (order instanceof Order.Failed failed) {
                throw failed.cause;
            } else if (order instanceof Order.Do todo) {
                perform(todo.message, steps);
            }
        }
    }

    private static String reason(Throwable cause) {
        if (cause instanceof OutOfMemoryError) {
            return "it ran out of memory (" + cause.getMessage() + "); raise roles.worker.memoryMb";
        }
        return cause instanceof UncheckedIOException unchecked
                ? String.valueOf(unchecked.getCause())
                : cause.toString();
    }

    private void perform(ToTask message, Steps steps) throws IOException {
        if (message instanceof Begin begin) {
            steps.loop.run(begin);
        } else if (message instanceof Message.Evaluate) {
            evaluate(steps);
        } else if (message instanceof Message.SaveInitial) {
            saveInitial(steps);
        } else {
            throw new IllegalStateException("Not for a worker: " + message);
        }
    }

    private void evaluate(Steps steps) {
        String problem = steps.loop.pullAgain();
        if (problem == null) {
            coordinator.send(new Message.Evaluated(steps.engine.evaluate()));
        } else {
            String reason = "it cannot read the parameters to evaluate: " + problem;
            coordinator.send(new Message.NotDone(steps.loop.number(), coordinator.self(), reason));
        }
    }

    private void saveInitial(Steps steps) throws IOException {
        TrainingEngine engine = steps.engine;
        engine.initialise(steps.seed);
        Ranges all = new Ranges(List.of(new Range(0, engine.parameters().capacity())));
        CheckpointClient.save(
                coordinator,
                new MembershipNumber(0, 0),
                0,
                0,
                all,
                (range, out) -> out.put(engine.parameters().slice(range.offset(), range.length())));
    }

    private void receive() {
        try {
            while (true) {
                ToTask message = coordinator.receive();
                Steps steps = loaded;
                if (message instanceof Message.Leave leave) {
                    end(new Order.End(leave.reason()));
                    return;
                } else if (message instanceof Message.LastStep last) {
                    // No worker is in a membership before it has loaded its engine.
                    if (steps != null) {
                        steps.loop.stopAfterStep(last.number());
                    }
                } else if (message instanceof Message.Connect connect) {
                    connecting.execute(() -> connect(connect));
                } else if (message instanceof Message.Abandon abandon) {
                    for (var server : abandon.servers()) {
                        servers.drop(server);
                    }
                } else if (!(message instanceof Message.StillHere)) {
                    orders.add(new Order.Do(message));
                }
            }
        } catch (IOException e) {
            end(new Order.Lost(e));
        }
    }

    /** Ends the calling thread's work, also while it waits for servers. */
    private void end(Order order) {
        orders.add(order);
        try {
            servers.close();
        } catch (IOException e) {
            LOG.debug("closing cause={}", e.toString());
        }
    }

    private void connect(Message.Connect connect) {
        try {
            for (var server : connect.servers()) {
                servers.open(server);
            }
        } catch (IOException e) {
            // The worker tries again when the membership begins. By then the coordinator may know that the server is
            // gone.
            LOG.warn("cannot connect membership={} cause={}", connect.number(), e.toString());
        }
        coordinator.send(new Message.Connected(connect.number()));
    }

    /** Ends connections, threads and the engine without waiting. */
    @Override
    public void close() throws IOException {
        coordinator.close();
        servers.close();
        periodic.forEach(ExecutorService::shutdownNow);
        receiving.shutdownNow();
        connecting.shutdownNow();
        Steps steps = loaded;
        if (steps != null) {
            steps.engine.close();
        }
    }
}
