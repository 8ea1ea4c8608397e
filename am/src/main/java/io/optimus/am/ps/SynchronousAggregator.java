package io.optimus.am.ps;

import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardHeader;
import io.optimus.am.wire.shards.ShardHeader.Kind;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Makes one update of all workers' pushes of a step: the mean of their gradients, weighted by each worker's share of the
 * batch. Gradients are summed in order of rank, so that the result does not depend on which arrived first. State of a
 * program, learning rates and weight decays are those of the first worker with samples. Where workers apply the mean
 * themselves, the parameters of the reply are the mean, and nothing is saved.
 *
 * <p>Example: batch 64, shares 22, 21, 21: g = 22/64·g₀ + 21/64·g₁ + 21/64·g₂.
 */
final class SynchronousAggregator extends GradientAggregator {
    private final ShardSaver saver;
    private final SaveInterval interval;
    /** Threads that answer a push while its connection's own thread still reads and applies it. */
    private final ExecutorService answering = Executors.newCachedThreadPool(DaemonThreads.named("answer"));

    private PendingStep pending;
    /** Threads that apply a part of a step now. */
    private int applying;

    private Message.@Nullable SaveBefore ordered;

    /** Saves copies of a shard in the background. */
    @FunctionalInterface
    interface ShardSaver {
        /** Saves {@code copy}, which nothing else changes, as the state before {@code step}. */
        void save(Shard copy, MembershipNumber number, long step);

        /** Whether an earlier copy is not saved yet, so that another one would wait and take memory. */
        default boolean isBusy() {
            return false;
        }
    }

    SynchronousAggregator(WireFormat wireFormat, ShardSaver saver, long saveEverySteps) {
        super(wireFormat);
        this.saver = saver;
        this.interval = new SaveInterval(saveEverySteps);
        this.pending = nextStep();
    }

    @Override
    void push(ShardChannel channel, TaskId worker, ShardHeader push, Runnable applied)
            throws IOException, InterruptedException {
        PendingStep mine = join(channel, worker, push);
        if (mine == null) {
            channel.skipFloats(push);
            channel.write(refused(channel));
            return;
        }
        if (mine.parts.count() == 1) {
            receive(channel, mine);
            answer(channel, mine, applied);
            return;
        }
        Future<?> answer = answering.submit(() -> {
            answer(channel, mine, applied);
            return null;
        });
        try {
            receive(channel, mine);
            awaitEnd(answer);
        } finally {
            answer.cancel(true);
        }
    }

    /** Reads a push, and applies each part that all workers have pushed then. */
    private void receive(ShardChannel channel, PendingStep step) throws IOException {
        for (int part = step.parts.count() - 1; part >= 0; part--) {
            channel.readPart(part);
            if (step.arrived.incrementAndGet(part) == step.headers.length) {
                applyPart(step, part);
            }
        }
    }

    /** Sends each part when it is applied, or refuses the push when the step is given up. */
    private void answer(ShardChannel channel, PendingStep step, Runnable applied)
            throws IOException, InterruptedException {
        for (int part = step.parts.count() - 1; part >= 0; part--) {
            if (!awaitAnswer(step, part)) {
                channel.write(refused(channel));
                return;
            }
            if (part == 0) {
                applied.run();
            }
            send(channel, step, part);
        }
    }

    private static void awaitEnd(Future<?> answer) throws IOException, InterruptedException {
        try {
            answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IOException(e.getCause());
        }
    }

    /** Takes part in the step; returns null if the push is refused. */
    private synchronized @Nullable PendingStep join(ShardChannel channel, TaskId worker, ShardHeader push)
            throws IOException, InterruptedException {
        if (!comesInTime(push)) {
            return null;
        }
        if (pending.headers.length != workers || pending.shard != shard) {
            pending = nextStep();
        }
        int rank = push.place();
        if (rank < 0 || rank >= workers || !fits(push) || push.share() > push.batch()) {
            throw new IOException(worker + " pushed " + push + " to " + workers + " workers' " + shard.floats()
                    + " floats: membership and push disagree");
        }
        if (push.step() != step || pending.headers[rank] != null) {
            return null;
        }
        pending.headers[rank] = push;
        pending.gradients[rank] = channel.beginPush(push, pending.format);
        pending.last |= push.last();
        return pending;
    }

    /** Applies a part that all workers have pushed. The thread with the last part ends the step. */
    private void applyPart(PendingStep of, int part) {
        if (!beginPart(of)) {
            return;
        }
        boolean done = false;
        try {
            beginStep(of);
            of.shard.apply(of, of.number() + 1, of.settings(), of.parts.from(part), of.parts.to(part));
            done = true;
        } finally {
            endPart(of, part, done);
        }
    }

    /** Returns false if the step was given up. */
    private synchronized boolean beginPart(PendingStep of) {
        if (!of.givenUp) {
            applying++;
        }
        return !of.givenUp;
    }

    private synchronized void beginStep(PendingStep of) {
        if (of.parameters == null) {
            of.parameters = of.shard.begin();
        }
    }

    /** After a failure, no connection waits for an answer that will not come. */
    private synchronized void endPart(PendingStep of, int part, boolean done) {
        applying--;
        try {
            if (of.givenUp) {
                return;
            }
            if (!done) {
                of.givenUp = true;
                pending = nextStep();
                return;
            }
            of.applied++;
            of.answered[part] = true;
            if (of.applied == of.parts.count()) {
                finish(of);
            }
        } finally {
            notifyAll();
        }
    }

    private PendingStep nextStep() {
        return new PendingStep(workers, shard, format());
    }

    private void finish(PendingStep finished) {
        pending = nextStep();
        finished.shard.commit();
        applied(finished.loss());
        if (shard.onlyAverages()) {
            return;
        }
        boolean busy = saver.isBusy();
        boolean isOrdered =
                ordered != null && ordered.step() == step && ordered.number().equals(number());
        if (interval.isDue(step, busy) || (!busy && isOrdered)) {
            saver.save(shard.frozen(), number(), step);
        }
    }

    /** Waits until a part is applied. Returns false if the step is given up. */
    private synchronized boolean awaitAnswer(PendingStep step, int part) throws InterruptedException {
        while (!step.answered[part] && !step.givenUp) {
            wait();
        }
        return !step.givenUp;
    }

    private static void send(ShardChannel channel, PendingStep step, int part) throws IOException {
        FloatBuffer parameters = Objects.requireNonNull(step.parameters, "a part that is applied has parameters");
        ShardHeader push = Objects.requireNonNull(step.headers[0], "all workers have pushed");
        int from = step.parts.from(part);
        do {
            int length = Math.min(ShardChannel.SENT_FLOATS, step.parts.to(part) - from);
            ShardHeader header = new ShardHeader(
                    Kind.PARAMETERS,
                    step.last,
                    push.number(),
                    push.step() + 1,
                    from,
                    length,
                    1,
                    step.loss(),
                    step.format.words(from, from + length));
            step.format.write(from, from + length, parameters, from, channel.begin(header));
            channel.send();
            from += length;
        } while (from < step.parts.to(part));
    }

    /** Also saves the shard before the ordered step, unless that step is over or another membership has begun. */
    synchronized void saveBefore(Message.SaveBefore order) {
        ordered = order;
    }

    /** Called with the lock, which other threads get while this one waits until no part is applied any more. */
    @Override
    void giveUpStep() {
        pending.givenUp = true;
        pending = nextStep();
        boolean interrupted = false;
        while (applying > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    void goBackTo(long toStep) throws IOException {
        if (toStep == step - 1) {
            shard.undo();
            step = toStep;
        } else if (toStep != step) {
            throw new IOException(
                    "Cannot go to step " + toStep + " from step " + step + ": only the last step can be taken back");
        }
    }
}
