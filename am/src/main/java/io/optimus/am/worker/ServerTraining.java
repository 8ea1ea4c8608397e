package io.optimus.am.worker;

import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.files.CheckpointClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Trains with parameter servers: computes gradients in a {@link StepLoop}. */
final class ServerTraining implements TrainingLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTraining.class);

    private final TrainingEngine engine;
    private final CoordinatorConnection coordinator;
    private final ServerConnections servers;
    private final StepLoop loop;
    private final long seed;
    private final ExecutorService connecting = Executors.newSingleThreadExecutor(DaemonThreads.named("connect"));

    ServerTraining(Welcome welcome, TrainingEngine engine, CoordinatorConnection coordinator) {
        this.engine = engine;
        this.coordinator = coordinator;
        this.servers = new ServerConnections(coordinator.environment());
        this.loop = new StepLoop(welcome, engine, coordinator, servers);
        this.seed = welcome.seed();
    }

    @Override
    public Message.Alive heartbeat() {
        return loop.heartbeat();
    }

    @Override
    public boolean performAtOnce(ToTask order) throws IOException {
        if (order instanceof Message.LastStep last) {
            loop.stopAfterStep(last.number());
        } else if (order instanceof Message.GoOn decided) {
            loop.goOn(decided);
        } else if (order instanceof Message.Connect connect) {
            connecting.execute(() -> connect(connect));
        } else if (order instanceof Message.Abandon abandon) {
            for (var server : abandon.servers()) {
                servers.drop(server);
            }
        } else {
            if (order instanceof Message.Begin begin) {
                loop.superseded(begin.number());
            }
            return false;
        }
        return true;
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

    @Override
    public void perform(ToTask order) throws IOException {
        if (order instanceof Message.Begin begin) {
            loop.run(begin);
        } else if (order instanceof Message.Evaluate) {
            evaluate();
        } else if (order instanceof Message.SaveInitial) {
            saveInitial();
        } else {
            throw new IllegalStateException("Not for a worker with parameter servers: " + order);
        }
    }

    private void evaluate() {
        String problem = loop.pullAgain();
        if (problem == null) {
            LastEvaluation.run(engine, coordinator);
        } else {
            String reason = "it cannot read the parameters to evaluate: " + problem;
            coordinator.send(new Message.NotDone(loop.number(), coordinator.self(), reason));
        }
    }

    private void saveInitial() throws IOException {
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

    @Override
    public void close() throws IOException {
        loop.close();
        servers.close();
        connecting.shutdownNow();
    }
}
