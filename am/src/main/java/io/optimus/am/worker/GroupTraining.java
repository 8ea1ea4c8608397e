package io.optimus.am.worker;

import io.optimus.am.engine.Activity;
import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.GroupEngine;
import io.optimus.am.engine.GroupEngine.Share;
import io.optimus.am.engine.StepMeasurement;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Begin;
import io.optimus.am.wire.Message.ServerShard;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.files.CheckpointClient;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import io.optimus.am.worker.Exchange.Push;
import io.optimus.am.worker.Exchange.Replies;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trains in a group of workers that hold the parameters. The engine steps by itself; this class begins and ends its
 * memberships, tells the coordinator how far it is, and knows the step whose parameters it has. Where servers average the
 * gradients, it also takes these to them and back.
 *
 * <p>Example: worker-0 and worker-1 step, and worker-1 is lost in step 12. The engine of worker-0 gives up the step. The
 * coordinator is told of the interruption, sends Fence, and is answered that step 12 comes next. Then worker-0 begins a
 * membership of its own with step 12.
 *
 * <p>Orders come on the worker's thread, and events on the engine's. Both wait for nothing but this object's monitor,
 * except that an order to load a checkpoint waits for the transfer, and a request for an average waits for the servers. A
 * fence closes the connections to the servers, which ends that wait.
 */
final class GroupTraining implements TrainingLoop, GroupEngine.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(GroupTraining.class);
    /** Losses are told that often, as far as steps are faster. */
    private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The parameters are those before no step. */
    private static final long NONE = -1;

    private final GroupEngine engine;
    private final CoordinatorConnection coordinator;
    private final GroupSaves saves;
    private final ServerConnections servers;
    private final WireEncoding encoding;
    private final GroupLosses losses = new GroupLosses();
    private final GroupMeasurements measurements = new GroupMeasurements();
    private final AtomicLong stepsDone = new AtomicLong();
    private volatile StepTotals totals = StepTotals.NONE;
    private long steppingBefore;
    private long steppedNanos;
    /** The last membership that the engine was told to begin. */
    private @Nullable Begin current;
    /** Whether the engine is in that membership. */
    private boolean inMembership;
    /** The fence that is answered when the engine has given up its step. */
    private @Nullable MembershipNumber fence;
    /** The membership in which the engine waits for a decision. */
    private @Nullable MembershipNumber asked;
    /** The step whose parameters the engine has. */
    private long next = NONE;

    /** The last step whose average has come back, which may be done again. */
    private volatile long lastAveraged = NONE;

    private long toldNanos = System.nanoTime();

    GroupTraining(Welcome welcome, GroupEngine engine, CoordinatorConnection coordinator) {
        this.engine = engine;
        this.coordinator = coordinator;
        this.saves = new GroupSaves(engine, coordinator, welcome.checkpointEverySteps());
        this.servers = new ServerConnections(coordinator.environment());
        this.encoding = new WireEncoding(welcome.wireFormat(), engine.blocks());
        engine.follow(this);
    }

    @Override
    public Message.Alive heartbeat() {
        synchronized (this) {
            tellIfFirst();
        }
        return new Message.Alive(
                stepsDone.get(), totals, engine.clock().map(ActivityClock::now).orElse(Activity.WAITING));
    }

    // Orders ----------------------------------------------------------------------------------------------------------

    @Override
    public boolean performAtOnce(ToTask order) {
        return false;
    }

    @Override
    public void perform(ToTask order) throws IOException {
        if (order instanceof Message.Abandon abandon) {
            for (var server : abandon.servers()) {
                servers.drop(server);
            }
        } else if (order instanceof Message.Connect connect) {
            // Workers meet when the membership begins.
            coordinator.send(new Message.Connected(connect.number()));
        } else if (order instanceof Begin begin) {
            begin(begin);
        } else if (order instanceof Message.LastStep last) {
            engine.stop(last.number().toString());
        } else if (order instanceof Message.GoOn decided) {
            asksOf(null);
            engine.goOn(decided.number().toString(), decided.decision());
        } else if (order instanceof Message.Fence fenced) {
            fence(fenced.number());
        } else if (order instanceof Message.SaveInitial) {
            saves.order(new MembershipNumber(0, 0), 0);
        } else if (order instanceof Message.SaveNow save) {
            saves.order(save.number(), save.step());
        } else if (order instanceof Message.SaveBefore save) {
            saves.order(save.number(), save.step());
        } else if (order instanceof Message.Evaluate) {
            LastEvaluation.run(engine, coordinator);
        } else {
            throw new IllegalStateException("Not for a worker that holds the parameters: " + order);
        }
    }

    private void begin(Begin begin) {
        Message.Group group = begin.group()
                .orElseThrow(() -> new IllegalStateException("A worker that holds the parameters needs a group"));
        if (begin.step() >= begin.endStep()
                && group.receivers().isEmpty()
                && group.checkpoint().isEmpty()) {
            beginNothing(begin);
            return;
        }
        try {
            connect(begin);
        } catch (IOException e) {
            coordinator.send(new Message.Interrupted(begin.number(), String.valueOf(e.getMessage())));
            return;
        }
        boolean loads = group.source() == begin.rank() && !group.checkpoint().isEmpty();
        boolean goesOn = !loads && !group.receivers().contains(begin.rank());
        if (!goesOn || begin.step() <= lastAveraged) {
            encoding.forgetErrors();
        }
        if (loads) {
            try {
                load(group.checkpoint());
            } catch (IOException e) {
                coordinator.send(new Message.Interrupted(
                        begin.number(), "it cannot load checkpoint " + group.checkpoint() + ": " + e.getMessage()));
                return;
            }
        }
        synchronized (this) {
            current = begin;
            inMembership = true;
            next = goesOn ? begin.step() : NONE;
            losses.begin();
            measurements.begin();
            saves.begin(begin.number(), begin.rank() == 0, begin.step());
            engine.begin(membership(begin, group, loads));
        }
    }

    /** All have the last parameters, and no worker needs the others for that. Its program may have ended. */
    private synchronized void beginNothing(Begin begin) {
        current = begin;
        next = begin.step();
        saves.begin(begin.number(), begin.rank() == 0, begin.step());
        coordinator.send(new Message.Started(begin.number(), begin.step()));
        coordinator.send(new Message.AtBoundary(begin.number(), begin.step()));
    }

    private void connect(Begin begin) throws IOException {
        encoding.forgetFormats();
        servers.keepOnly(
                begin.servers().stream().map(shard -> shard.server().task()).toList());
        for (ServerShard shard : begin.servers()) {
            try {
                servers.open(shard.server());
            } catch (IOException e) {
                throw new IOException(shard.server().task() + ": " + e.getMessage(), e);
            }
        }
    }

    private static GroupEngine.Membership membership(Begin begin, Message.Group group, boolean loads) {
        Message.Samples samples = group.samples();
        return new GroupEngine.Membership(
                begin.number().toString(),
                begin.step(),
                begin.endStep() == Long.MAX_VALUE ? -1 : begin.endStep(),
                begin.rank(),
                begin.allocation().workers(),
                new GroupEngine.Samples(samples.from(), samples.batch(), samples.accumulate()),
                new GroupEngine.Transfer(
                        group.rendezvous().host(),
                        group.rendezvous().port(),
                        group.source(),
                        group.receivers(),
                        loads));
    }

    private void load(String checkpoint) throws IOException {
        synchronized (this) {
            next = NONE;
        }
        try {
            saves.awaitSent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the worker ends");
        }
        FloatBuffer memory = engine.memory();
        CheckpointClient.load(
                coordinator,
                checkpoint,
                new Ranges(List.of(new Range(0, memory.capacity()))),
                (part, slots) -> memory.put(
                        part.range().offset(), part.floats(), 0, part.range().length()));
    }

    private synchronized void fence(MembershipNumber number) {
        if (inMembership && current != null) {
            fence = number;
            engine.abort(current.number().toString());
            answerDecision();
            disconnect();
        } else {
            answerFence(number);
        }
    }

    private synchronized void asksOf(@Nullable MembershipNumber membership) {
        asked = membership;
    }

    /** A coordinator that is gone never answers. The step that goes on then is given up already. */
    private void answerDecision() {
        MembershipNumber waiting = asked;
        asked = null;
        if (waiting != null) {
            engine.goOn(waiting.toString(), Long.MAX_VALUE);
        }
    }

    /** The servers that wait for other workers' gradients are not waited for any more. */
    private void disconnect() {
        try {
            servers.close();
        } catch (IOException e) {
            LOG.debug("closing cause={}", e.toString());
        }
    }

    /** The losses go first, since the first worker may be lost before it has told them. */
    private void answerFence(MembershipNumber number) {
        tell();
        coordinator.send(new Message.Fenced(number, next));
    }

    // Events ----------------------------------------------------------------------------------------------------------

    @Override
    public synchronized void started(String membership, long step) {
        Begin begin = in(membership);
        if (begin != null) {
            next = step;
            steppingBefore = steppingNanos();
            steppedNanos = System.nanoTime();
            coordinator.send(new Message.Started(begin.number(), step));
        }
    }

    @Override
    public synchronized void atDecision(String membership, long step) {
        Begin begin = in(membership);
        if (begin == null) {
            engine.goOn(membership, Long.MAX_VALUE);
            return;
        }
        tellIfFirst();
        asked = begin.number();
        coordinator.send(new Message.AtDecision(begin.number(), step));
    }

    @Override
    public void average(Share share) {
        Begin begin = beginOf(share);
        if (begin == null) {
            engine.averageFailed(share.membership(), share.step(), "the membership is over");
            return;
        }
        ShardHeader header = new ShardHeader(
                Kind.PUSH,
                share.last() && begin.rank() == 0,
                begin.number(),
                share.step(),
                begin.rank(),
                share.count(),
                share.batch(),
                share.loss(),
                0);
        // A part is answered only when this worker's gradient of it has been read.
        ByteBuffer averaged = engine.averaged();
        Push push = new Push(header, new float[0]);
        Replies replies = Exchange.push(servers, begin.servers(), encoding, push, ComputedGradient.whole(averaged))
                .end(averaged);
        if (replies instanceof Replies.Complete complete) {
            ShardHeader reply = complete.first();
            lastAveraged = share.step();
            engine.average(new GroupEngine.Average(share.membership(), share.step(), reply.loss(), reply.last()));
        } else if (replies instanceof Replies.Failed failed) {
            engine.averageFailed(share.membership(), share.step(), failed.reason());
        }
    }

    /** The membership of a worker's part of a step; null if the step is given up. */
    private synchronized @Nullable Begin beginOf(Share share) {
        return fence == null ? in(share.membership()) : null;
    }

    @Override
    public synchronized void stepped(String membership, long step, double loss, StepMeasurement measurement) {
        Begin begin = in(membership);
        if (begin == null) {
            return;
        }
        next = step + 1;
        stepsDone.incrementAndGet();
        addTime(begin);
        losses.add(step, loss);
        measurements.add(measurement);
        saves.reached(next);
        if (System.nanoTime() - toldNanos >= TELL_NANOS) {
            tellIfFirst();
        }
    }

    private void addTime(Begin begin) {
        long stepping = steppingNanos();
        long now = System.nanoTime();
        int share = begin.group()
                .map(group -> SampleOrder.share(
                        group.samples().batch(),
                        begin.rank(),
                        begin.allocation().workers()))
                .orElse(0);
        if (share > 0) {
            totals = totals.with(share, stepping - steppingBefore, now - steppedNanos);
        }
        steppingBefore = stepping;
        steppedNanos = now;
    }

    private long steppingNanos() {
        return engine.clock().map(ActivityClock::steppingNanos).orElse(0L);
    }

    @Override
    public synchronized void atBoundary(String membership, long step) {
        Begin begin = in(membership);
        if (begin == null) {
            return;
        }
        next = step;
        tellIfFirst();
        if (!answerPendingFence()) {
            coordinator.send(new Message.AtBoundary(begin.number(), step));
        }
    }

    @Override
    public synchronized void interrupted(String membership, long step, String reason) {
        Begin begin = in(membership);
        if (begin == null) {
            return;
        }
        if (next != NONE) {
            next = step;
        }
        tellIfFirst();
        if (!answerPendingFence()) {
            coordinator.send(new Message.Interrupted(begin.number(), reason));
        }
    }

    /** The engine is not in a membership any more. Returns whether a fence waited for that. */
    private boolean answerPendingFence() {
        inMembership = false;
        MembershipNumber pending = fence;
        fence = null;
        if (pending != null) {
            answerFence(pending);
        }
        return pending != null;
    }

    @Override
    public void saved(long step) {
        saves.copied(step);
    }

    /** The membership that the engine is in, if {@code membership} names it. */
    private @Nullable Begin in(String membership) {
        Begin begin = current;
        return inMembership && begin != null && begin.number().toString().equals(membership) ? begin : null;
    }

    /** The measurements go first, since they say what the steps are worth. */
    private void tellIfFirst() {
        if (current != null && current.rank() == 0) {
            measurements.tell(current.number()).ifPresent(coordinator::send);
            tell();
        }
    }

    private void tell() {
        toldNanos = System.nanoTime();
        if (current != null) {
            losses.tell(current.number()).ifPresent(coordinator::send);
        }
    }

    @Override
    public void close() throws IOException {
        saves.close();
        servers.close();
    }
}
