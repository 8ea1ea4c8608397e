package io.optimus.am.worker;

import io.optimus.am.engine.Activity.Phase;
import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Begin;
import io.optimus.am.wire.Message.ServerShard;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import io.optimus.am.worker.Exchange.Push;
import io.optimus.am.worker.Exchange.Replies;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs a worker's steps in one membership after the other: compute a gradient, push it, and take the parameters that
 * come back. An engine that tells how far it is has its gradient pushed while it computes the rest.
 *
 * <p>Synchronous: the first worker's push may mark the step as the membership's last. The servers pass the mark on with
 * their replies, so all workers stop after the same step. Workers also know the end of the training, and do no step beyond
 * it. Where the coordinator decides at a step whether training goes on, the first worker pushes that step only after the
 * decision. Asynchronous: each worker is told to stop by itself. A push that some servers refused, since the membership had
 * changed, is repeated to those servers in the next one.
 */
final class StepLoop {
    private final boolean synchronous;
    private final int batch;
    private final int groups;
    private final TrainingEngine engine;
    private final CoordinatorConnection coordinator;
    private final ServerConnections connections;
    private final WireEncoding encoding;
    private final SampleOrder samples;
    private final Decisions decisions;

    private volatile MembershipNumber stopAfter = new MembershipNumber(0, 0);
    private final AtomicLong stepsDone = new AtomicLong();
    private final ActivityClock computing = new ActivityClock();
    private volatile StepTotals totals = StepTotals.NONE;

    private long pushes;
    private @Nullable Begin current;
    private @Nullable Unfinished unfinished;

    /** An asynchronous push that some servers have not accepted. */
    private record Unfinished(List<ServerShard> servers, Set<ServerShard> missing, Push push) {}

    StepLoop(Welcome welcome, TrainingEngine engine, CoordinatorConnection coordinator, ServerConnections connections) {
        this.synchronous = welcome.mode() == TrainingMode.SYNCHRONOUS;
        this.batch = engine.programSettings().map(ProgramSettings::batch).orElse(welcome.batch());
        this.groups = engine.programSettings().map(ProgramSettings::groups).orElse(1);
        this.engine = engine;
        this.coordinator = coordinator;
        this.connections = connections;
        this.encoding = new WireEncoding(welcome.wireFormat(), engine.blocks());
        this.samples = new SampleOrder(welcome.seed(), engine.trainingSamples());
        this.decisions = new Decisions(coordinator);
    }

    /** Stops after the current step of {@code number}. May be called by any thread. */
    void stopAfterStep(MembershipNumber number) {
        stopAfter = number;
    }

    /** The coordinator has decided that training goes on. May be called by any thread. */
    void goOn(Message.GoOn decided) {
        decisions.goOn(decided);
    }

    /** Another membership than that which runs follows; its servers refuse the older one. May be called by any thread. */
    void superseded(MembershipNumber by) {
        decisions.superseded(by);
    }

    /** Lets {@link #run} not wait for a decision any more. May be called by any thread. */
    void close() {
        decisions.close();
    }

    /** Returns a heartbeat, on any thread. */
    Message.Alive heartbeat() {
        return new Message.Alive(stepsDone.get(), totals, clock().now());
    }

    private ActivityClock clock() {
        return engine.clock().orElse(computing);
    }

    /** Reads all parameters in the last membership. Returns the failure, or null. */
    @Nullable
    String pullAgain() {
        return current == null ? "it has not been in a membership yet" : failure(pull(current));
    }

    /** The last membership that this worker was told to take part in. */
    MembershipNumber number() {
        return current == null ? new MembershipNumber(0, 0) : current.number();
    }

    /** Steps until the membership ends. */
    void run(Begin begin) throws IOException {
        current = begin;
        decisions.begin(begin.number());
        String problem = join(begin);
        if (problem == null) {
            coordinator.send(new Message.Started(begin.number(), begin.step()));
            problem = step(begin);
        }
        if (problem != null) {
            coordinator.send(new Message.Interrupted(begin.number(), problem));
        }
    }

    /** Returns the failure, or null. */
    private @Nullable String join(Begin begin) throws IOException {
        encoding.forgetFormats();
        if (begin.pull()) {
            encoding.forgetErrors();
        }
        connections.keepOnly(
                begin.servers().stream().map(shard -> shard.server().task()).toList());
        for (ServerShard shard : begin.servers()) {
            try {
                connections.open(shard.server());
            } catch (IOException e) {
                return shard.server().task() + ": " + e.getMessage();
            }
        }
        engine.runsOn(begin.allocation());
        Unfinished unfinishedPush = unfinished;
        unfinished = null;
        if (unfinishedPush != null && unfinishedPush.servers.equals(begin.servers()) && !begin.pull()) {
            return failure(pushAgain(begin, unfinishedPush));
        }
        return begin.pull() ? failure(pull(begin)) : null;
    }

    private Replies pushAgain(Begin begin, Unfinished unfinishedPush) {
        Push push = unfinishedPush.push.withNumber(begin.number());
        ComputedGradient gradient = ComputedGradient.whole(engine.gradientBytes());
        Replies replies = Exchange.push(connections, List.copyOf(unfinishedPush.missing), encoding, push, gradient)
                .end(engine.parameterBytes());
        if (replies instanceof Replies.Failed failed) {
            unfinished = unfinished(unfinishedPush.servers, unfinishedPush.missing, push, failed.accepted());
        } else {
            stepsDone.incrementAndGet();
        }
        return replies;
    }

    private Replies pull(Begin begin) {
        return Exchange.pull(connections, begin.servers(), encoding, begin.number(), begin.step())
                .end(engine.parameterBytes());
    }

    private static @Nullable String failure(Replies replies) {
        return replies instanceof Replies.Failed failed ? failed.reason() : null;
    }

    private @Nullable String step(Begin begin) {
        long step = begin.step();
        boolean last = false;
        for (long localStep = 0; !last && !(synchronous && step >= begin.endStep()); localStep++) {
            StepTimer timer = new StepTimer();
            PushedStep pushed = new PushedStep(begin, step, samples(begin, step, localStep));
            Replies replies = pushed.computeAndExchange();
            if (replies instanceof Replies.Failed failed) {
                if (!synchronous) {
                    unfinished = unfinished(begin.servers(), begin.servers(), pushed.push(), failed.accepted());
                }
                return failed.reason();
            }
            stepsDone.incrementAndGet();
            timer.add(pushed.samples.count());
            ShardHeader reply = ((Replies.Complete) replies).first();
            step = reply.step();
            last = reply.last() || (!synchronous && stopAfter.equals(begin.number()));
        }
        coordinator.send(new Message.AtBoundary(begin.number(), step));
        return null;
    }

    /** Times one step. Synchronous workers wait for each other in the exchange, so only their computation is their own. */
    private final class StepTimer {
        private final long startNanos = System.nanoTime();
        private final long steppingBefore = clock().steppingNanos();
        private final long betweenBefore = clock().betweenEpochsNanos();

        void add(int samplesTaken) {
            long nanos = System.nanoTime() - startNanos - (clock().betweenEpochsNanos() - betweenBefore);
            long own = synchronous ? clock().steppingNanos() - steppingBefore : nanos;
            if (samplesTaken > 0) {
                totals = totals.with(samplesTaken, own, nanos);
            }
        }
    }

    private static void clear(FloatBuffer gradient) {
        for (int i = 0; i < gradient.capacity(); i++) {
            gradient.put(i, 0);
        }
    }

    private static Unfinished unfinished(
            List<ServerShard> servers, Collection<ServerShard> asked, Push push, Set<TaskId> accepted) {
        Set<ServerShard> missing = new LinkedHashSet<>(asked);
        missing.removeIf(shard -> accepted.contains(shard.server().task()));
        return new Unfinished(servers, missing, push);
    }

    private StepPart samples(Begin begin, long step, long localStep) {
        StepPart.Worker self =
                new StepPart.Worker(begin.rank(), begin.allocation().workers(), batch);
        return synchronous ? samples.synchronous(step, self) : samples.asynchronous(begin.step(), localStep, self);
    }

    /** One step: its gradient is pushed while it is computed, as far as the engine tells of it. */
    private final class PushedStep implements StepProgress {
        private final Begin begin;
        private final long step;
        private final StepPart samples;
        private final ComputedGradient gradient = new ComputedGradient(engine.gradientBytes());
        private @Nullable Push push;
        private @Nullable Exchange exchange;

        PushedStep(Begin begin, long step, StepPart samples) {
            this.begin = begin;
            this.step = step;
            this.samples = samples;
        }

        Replies computeAndExchange() {
            boolean computed = false;
            try {
                double loss = compute();
                gradient.computedFrom(0);
                if (exchange == null) {
                    lossKnown(loss);
                }
                computed = true;
            } finally {
                if (!computed) {
                    gradient.giveUp();
                }
            }
            return exchange().end(engine.parameterBytes());
        }

        private double compute() {
            if (samples.count() == 0) {
                clear(engine.gradient());
                return 0;
            }
            computing.enter(Phase.STEPPING);
            double loss = engine.step(samples, this);
            computing.enter(Phase.WAITING);
            return loss;
        }

        @Override
        public void lossKnown(double loss) {
            if (exchange != null) {
                throw new IllegalStateException("The engine told the loss of step " + step + " twice");
            }
            push = push(loss);
            exchange = Exchange.push(connections, begin.servers(), encoding, push, gradient);
        }

        private Push push(double loss) {
            boolean leads = synchronous && begin.rank() == 0;
            if (leads) {
                Phase before = clock().now().phase();
                clock().enter(Phase.WAITING);
                decisions.await(step);
                clock().enter(before);
            }
            boolean last = leads && stopAfter.equals(begin.number());
            // An asynchronous worker counts all its own steps, by which servers recognise a repeated push.
            long counted = synchronous ? step : ++pushes;
            int share = samples.count();
            ShardHeader header =
                    new ShardHeader(Kind.PUSH, last, begin.number(), counted, begin.rank(), share, batch, loss, 0);
            return new Push(header, share == 0 ? new float[0] : settings(samples.step()));
        }

        @Override
        public void gradientFrom(int from) {
            gradient.computedFrom(from);
        }

        @Override
        public void parametersRead() {
            exchange().read(engine.parameterBytes());
        }

        Push push() {
            return Objects.requireNonNull(push, "the loss of the step is not known");
        }

        private Exchange exchange() {
            return Objects.requireNonNull(exchange, "the loss of the step is not known");
        }
    }

    private float[] settings(long step) {
        float[] settings = engine.groupSettings().clone();
        if (settings.length != 0 && settings.length != 2 * groups) {
            throw new IllegalStateException("The engine has " + settings.length
                    + " settings of parameter groups at step " + step + ", expected 2 for each of " + groups);
        }
        for (int i = 0; i < settings.length; i++) {
            if (!Float.isFinite(settings[i]) || settings[i] < 0) {
                throw new IllegalStateException("The " + (i % 2 == 0 ? "learning rate" : "weight decay")
                        + " of parameter group " + i / 2 + " is " + settings[i] + " at step " + step
                        + "; it must be a finite number of at least 0, so check the program's schedule");
            }
        }
        return settings;
    }
}
