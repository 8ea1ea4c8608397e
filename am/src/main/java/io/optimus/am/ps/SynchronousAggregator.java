package io.optimus.am.ps;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.ShardChannel;
import io.optimus.am.wire.ShardHeader;
import io.optimus.am.wire.ShardHeader.Kind;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
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
    /**
     * All connections share a reply, and two replies take turns. A reply is filled again only after all workers have
     * pushed the step after it, so they have read it.
     */
    private ByteBuffer[] replies = {ShardChannel.buffer(0), ShardChannel.buffer(0)};

    private PendingStep pending = new PendingStep(0);

    private Message.@Nullable SaveBefore ordered;

    /** The pushes of one step. */
    private static final class PendingStep implements StepGradient {
        final @Nullable ShardHeader[] headers;
        final @Nullable FloatBuffer[] gradients;
        int arrived;
        boolean last;
        boolean givenUp;

        @Nullable
        ByteBuffer reply;

        PendingStep(int workers) {
            headers = new ShardHeader[workers];
            gradients = new FloatBuffer[workers];
        }

        private static double weight(ShardHeader header) {
            return (double) header.share() / header.batch();
        }

        double loss() {
            double loss = 0;
            for (ShardHeader header : headers) {
                if (header != null && header.share() > 0) {
                    loss += weight(header) * header.loss();
                }
            }
            return loss;
        }

        @Override
        public void mean(int from, int length, float[] into, float[] scratch) {
            Arrays.fill(into, 0, length, 0);
            for (int rank = 0; rank < headers.length; rank++) {
                ShardHeader header = headers[rank];
                FloatBuffer gradient = gradients[rank];
                if (header != null && gradient != null && header.share() > 0) {
                    gradient.get(from, scratch, 0, length);
                    float weight = (float) weight(header);
                    for (int i = 0; i < length; i++) {
                        into[i] += weight * scratch[i];
                    }
                }
            }
        }

        @Override
        public void state(int from, int length, float[] into) {
            int first = firstWithSamples();
            FloatBuffer push = first < 0 ? null : gradients[first];
            if (push == null) {
                Arrays.fill(into, 0, length, 0);
            } else {
                push.get(from, into, 0, length);
            }
        }

        /** The rank of the first worker with samples; -1 if none has any. */
        int firstWithSamples() {
            for (int rank = 0; rank < headers.length; rank++) {
                ShardHeader header = headers[rank];
                if (header != null && header.share() > 0) {
                    return rank;
                }
            }
            return -1;
        }
    }

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

    SynchronousAggregator(ShardSaver saver, long saveEverySteps) {
        this.saver = saver;
        this.interval = new SaveInterval(saveEverySteps);
    }

    @Override
    synchronized ByteBuffer push(ShardChannel channel, TaskId worker, ShardHeader push, FloatBuffer floats)
            throws IOException, InterruptedException {
        if (!comesInTime(push)) {
            return refused(channel);
        }
        if (pending.headers.length != workers) {
            pending = new PendingStep(workers);
        }
        int rank = push.place();
        if (rank < 0 || rank >= workers || !fits(push) || push.share() > push.batch()) {
            throw new IOException(worker + " pushed " + push + " to " + workers + " workers' " + shard.floats()
                    + " floats: membership and push disagree");
        }
        if (push.step() != step || pending.headers[rank] != null) {
            return refused(channel);
        }
        PendingStep mine = pending;
        mine.headers[rank] = push;
        mine.gradients[rank] = floats;
        mine.last |= push.last();
        mine.arrived++;
        if (mine.arrived == workers) {
            finish(mine);
        }
        while (mine.reply == null && !mine.givenUp) {
            wait();
        }
        return mine.reply == null ? refused(channel) : mine.reply.duplicate();
    }

    private void finish(PendingStep finished) {
        pending = new PendingStep(workers);
        try {
            double loss = finished.loss();
            ByteBuffer reply = reply(finished.last, loss);
            shard.apply(
                    finished,
                    step + 1,
                    settings(finished),
                    reply.slice(ShardHeader.BYTES, reply.capacity() - ShardHeader.BYTES)
                            .order(reply.order())
                            .asFloatBuffer());
            applied(loss);
            finished.reply = reply;
        } finally {
            // After a failure, no connection waits for an answer that will not come.
            finished.givenUp = finished.reply == null;
            notifyAll();
        }
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

    /** Also saves the shard before the ordered step, unless that step is over or another membership has begun. */
    synchronized void saveBefore(Message.SaveBefore order) {
        ordered = order;
    }

    /** Returns the settings of the first worker with samples. */
    private float[] settings(PendingStep finished) {
        int first = finished.firstWithSamples();
        ShardHeader header = first < 0 ? null : finished.headers[first];
        FloatBuffer floats = first < 0 ? null : finished.gradients[first];
        return header == null || floats == null ? new float[0] : settings(header, floats);
    }

    /** Returns the frame that answers the step, without its floats. */
    private ByteBuffer reply(boolean last, double loss) {
        long next = step + 1;
        int index = (int) (next & 1);
        if (replies[index].capacity() != ShardHeader.BYTES + shard.floats() * Float.BYTES) {
            replies[index] = ShardChannel.buffer(shard.floats());
        }
        ByteBuffer reply = replies[index].clear();
        new ShardHeader(Kind.PARAMETERS, last, number(), next, 0, 0, 1, loss, shard.floats()).putInto(reply);
        return reply.position(0);
    }

    @Override
    void giveUpStep() {
        pending.givenUp = true;
        pending = new PendingStep(workers);
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
