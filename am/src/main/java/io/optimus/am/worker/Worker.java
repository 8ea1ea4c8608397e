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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker: follows the coordinator's orders, one at a time, until it is told to leave or the coordinator is gone.
 * Only the calling thread uses the engine. A second thread receives, so that messages are read during a step.
 */
public final class Worker implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final TrainingEngine engine;
    private final CoordinatorConnection coordinator;
    private final ServerConnections servers;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final ExecutorService receiving = Executors.newSingleThreadExecutor(DaemonThreads.named("receive"));
    private final ExecutorService connecting = Executors.newSingleThreadExecutor(DaemonThreads.named("connect"));
    private final List<ExecutorService> periodic = new CopyOnWriteArrayList<>();

    /** The next thing that the calling thread does. */
    private sealed interface Order {
        record Do(ToTask message) implements Order {}

        record End(String reason) implements Order {}

        record Lost(IOException cause) implements Order {}
    }

    /**
     * Connects to the coordinator.
     *
     * @param engine a loaded engine, which is closed with this worker
     */
    public Worker(TaskEnvironment environment, TrainingEngine engine) throws IOException {
        this.engine = engine;
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
            StepLoop loop = new StepLoop(welcome, engine, coordinator, servers);
            periodic.add(DaemonThreads.every(
                    welcome.heartbeatMillis(), "heartbeat", () -> coordinator.send(loop.heartbeat())));
            receiving.execute(() -> receive(loop));
            engine.reportTo(report -> coordinator.send(new Message.Reported(report)));
            coordinator.send(
                    new Message.WorkerReady(engine.blocks(), engine.trainingSamples(), engine.programSettings()));
            return follow(loop, welcome);
        }
    }

    private String follow(StepLoop loop, Welcome welcome) throws IOException, InterruptedException {
        while (true) {
            Order order = orders.take();
            if (order instanceof Order.End end) {
                return end.reason;
            } else if (order instanceof Order.Lost lost) {
                throw lost.cause;
            } else if (order instanceof Order.Do todo) {
                try {
                    perform(todo.message, loop, welcome);
                } catch (RuntimeException | Error e) {
                    LOG.error("cannot go on", e);
                    coordinator.send(new Message.Unable(reason(e)));
                    throw e;
                }
            }
        }
    }

    private static String reason(Throwable cause) {
        return cause instanceof OutOfMemoryError
                ? "it ran out of memory (" + cause.getMessage() + "); raise roles.worker.memoryMb"
                : cause.toString();
    }

    private void perform(ToTask message, StepLoop loop, Welcome welcome) throws IOException {
        if (message instanceof Begin begin) {
            loop.run(begin);
        } else if (message instanceof Message.Evaluate) {
            evaluate(loop);
        } else if (message instanceof Message.SaveInitial) {
            saveInitial(welcome.seed());
        } else {
            throw new IllegalStateException("Not for a worker: " + message);
        }
    }

    private void evaluate(StepLoop loop) {
        String problem = loop.pullAgain();
        if (problem == null) {
            coordinator.send(new Message.Evaluated(engine.evaluate()));
        } else {
            String reason = "it cannot read the parameters to evaluate: " + problem;
            coordinator.send(new Message.NotDone(loop.number(), coordinator.self(), reason));
        }
    }

    private void saveInitial(long seed) throws IOException {
        engine.initialise(seed);
        Ranges all = new Ranges(List.of(new Range(0, engine.parameters().capacity())));
        CheckpointClient.save(
                coordinator,
                new MembershipNumber(0, 0),
                0,
                0,
                all,
                (range, out) -> out.put(engine.parameters().slice(range.offset(), range.length())));
    }

    private void receive(StepLoop loop) {
        try {
            while (true) {
                ToTask message = coordinator.receive();
                if (message instanceof Message.Leave leave) {
                    orders.add(new Order.End(leave.reason()));
                    servers.close();
                    return;
                } else if (message instanceof Message.LastStep last) {
                    loop.stopAfterStep(last.number());
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
            orders.add(new Order.Lost(e));
            try {
                servers.close();
            } catch (IOException closing) {
                LOG.debug("closing cause={}", closing.toString());
            }
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
        engine.close();
    }
}
