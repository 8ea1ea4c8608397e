package io.optimus.am.worker;

import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.Begin;
import io.optimus.am.wire.Message.ServerShard;
import io.optimus.am.wire.Message.Welcome;
import io.optimus.am.wire.ShardHeader;
import io.optimus.am.wire.ShardHeader.Kind;
import io.optimus.am.wire.TaskId;
import io.optimus.am.worker.ServerConnections.Outcome;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one worker in one membership after the other: compute, push, take the parameters that come back.
 *
 * <p>Synchronous: the first worker's push may say that the step is the membership's last; the servers pass that on with
 * their answers, so all workers stop after the same step. Asynchronous: each worker is told by itself; a push that some
 * servers refused because the membership had changed is repeated to those in the next one.
 */
final class StepLoop {
    private final boolean synchronous;
    private final int batch;
    private final TrainingEngine engine;
    private final CoordinatorConnection link;
    private final ServerConnections links;
    private final SampleOrder samples;
    private final FloatBuffer zeros;

    private volatile MembershipNumber stopAfter = new MembershipNumber(0, 0);
    private final AtomicLong stepsDone = new AtomicLong();
    /** When the current computation began; 0 outside one. */
    private volatile long busySinceNanos;

    private long pushes;
    private @Nullable Begin current;
    private @Nullable Unfinished unfinished;

    /** An asynchronous push that not all servers took. */
    private record Unfinished(List<ServerShard> servers, Set<ServerShard> missing, ShardHeader push) {}

    StepLoop(Welcome welcome, TrainingEngine engine, CoordinatorConnection link, ServerConnections links) {
        this.synchronous = welcome.mode() == TrainingMode.SYNCHRONOUS;
        this.batch = welcome.batch();
        this.engine = engine;
        this.link = link;
        this.links = links;
        this.samples = new SampleOrder(welcome.seed(), engine.trainingSamples());
        this.zeros = FloatBuffer.allocate(engine.gradient().capacity());
    }

    /** Asks to stop after the current step of {@code number}; from any thread. */
    void stopAfterStep(MembershipNumber number) {
        stopAfter = number;
    }

    /** From any thread. */
    Message.Alive signOfLife() {
        long since = busySinceNanos;
        long busy = since == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
        return new Message.Alive(stepsDone.get(), busy);
    }

    /** Reads all parameters as of the last membership; what went wrong, or null. */
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
        String trouble = join(begin);
        if (trouble == null) {
            link.send(new Message.Started(begin.number(), begin.step()));
            trouble = step(begin);
        }
        if (trouble != null) {
            link.send(new Message.Interrupted(begin.number(), trouble));
        }
    }

    /** What went wrong, or null. */
    private @Nullable String join(Begin begin) throws IOException {
        links.keepOnly(
                begin.servers().stream().map(shard -> shard.server().task()).toList());
        for (ServerShard shard : begin.servers()) {
            try {
                links.open(shard.server());
            } catch (IOException e) {
                return shard.server().task() + ": " + e.getMessage();
            }
        }
        engine.runsOn(begin.allocation());
        Unfinished left = unfinished;
        unfinished = null;
        if (left != null && left.servers.equals(begin.servers()) && !begin.pull()) {
            return failure(pushAgain(begin, left));
        }
        return begin.pull() ? failure(pull(begin)) : null;
    }

    private Outcome pushAgain(Begin begin, Unfinished left) {
        ShardHeader push = left.push.withNumber(begin.number());
        Outcome outcome = links.push(List.copyOf(left.missing), push, engine.gradient(), engine.parameters());
        if (outcome instanceof Outcome.Failed failed) {
            unfinished = unfinished(left.servers, left.missing, push, failed.accepted());
        } else {
            stepsDone.incrementAndGet();
        }
        return outcome;
    }

    private Outcome pull(Begin begin) {
        return links.pull(begin.servers(), begin.number(), begin.step(), engine.parameters());
    }

    private static @Nullable String failure(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.reason() : null;
    }

    private @Nullable String step(Begin begin) {
        long step = begin.step();
        for (long localStep = 0; ; localStep++) {
            ShardHeader push = compute(begin, step, localStep);
            FloatBuffer gradient = push.share() == 0 ? zeros : engine.gradient();
            Outcome outcome = links.push(begin.servers(), push, gradient, engine.parameters());
            if (outcome instanceof Outcome.Failed failed) {
                if (!synchronous) {
                    unfinished = unfinished(begin.servers(), begin.servers(), push, failed.accepted());
                }
                return failed.reason();
            }
            stepsDone.incrementAndGet();
            ShardHeader reply = ((Outcome.Done) outcome).reply();
            step = reply.step();
            if (synchronous ? reply.last() : stopAfter.equals(begin.number())) {
                link.send(new Message.AtBoundary(begin.number(), step));
                return null;
            }
        }
    }

    private static Unfinished unfinished(
            List<ServerShard> servers, Collection<ServerShard> asked, ShardHeader push, Set<TaskId> accepted) {
        Set<ServerShard> missing = new LinkedHashSet<>(asked);
        missing.removeIf(shard -> accepted.contains(shard.server().task()));
        return new Unfinished(servers, missing, push);
    }

    private ShardHeader compute(Begin begin, long step, long localStep) {
        int workers = begin.allocation().workers();
        int[] mine = synchronous
                ? samples.synchronous(step, batch, begin.rank(), workers)
                : samples.asynchronous(begin.step(), localStep, batch, begin.rank(), workers);
        busySinceNanos = System.nanoTime() | 1;
        double loss = mine.length == 0 ? 0 : engine.step(mine);
        busySinceNanos = 0;
        boolean last = synchronous && begin.rank() == 0 && stopAfter.equals(begin.number());
        // An asynchronous worker counts its own steps for as long as it lives: the servers' guard against repeats.
        long counted = synchronous ? step : ++pushes;
        return new ShardHeader(Kind.PUSH, last, begin.number(), counted, begin.rank(), mine.length, batch, loss, 0);
    }
}
