package io.optimus.am.ps;

import io.optimus.am.wire.shards.Parts;
import io.optimus.am.wire.shards.PushedFloats;
import io.optimus.am.wire.shards.ShardFormat;
import io.optimus.am.wire.shards.ShardHeader;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * The pushes of one step to one shard, which are applied and answered part by part. Its gradient is the mean, weighted by shares.
 * {@link SynchronousAggregator} guards all that changes but the parts that have arrived.
 */
final class PendingStep implements StepGradient {
    final Shard shard;
    final ShardFormat format;
    final @Nullable ShardHeader[] headers;
    final @Nullable PushedFloats[] gradients;
    final Parts parts;
    final AtomicIntegerArray arrived;
    final boolean[] answered;
    int applied;
    boolean last;
    volatile boolean givenUp;
    /**
     * The parameters after the step; null before the first part of all workers has arrived. A part of them is written again
     * in the step after the next one, or where this step is done again. By then nobody sends it any more: all members push
     * it first, and each has either read its whole answer or closed that connection; those of others are closed.
     */
    @Nullable
    FloatBuffer parameters;

    PendingStep(int workers, Shard shard, ShardFormat format) {
        this.shard = shard;
        this.format = format;
        headers = new ShardHeader[workers];
        gradients = new PushedFloats[workers];
        parts = format.parts();
        arrived = new AtomicIntegerArray(parts.count());
        answered = new boolean[parts.count()];
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
        boolean first = true;
        for (int rank = 0; rank < headers.length; rank++) {
            ShardHeader header = headers[rank];
            PushedFloats gradient = gradients[rank];
            if (header != null && gradient != null && header.share() > 0) {
                float weight = (float) weight(header);
                float[] values = first ? into : scratch;
                gradient.get(from, length, values);
                for (int i = 0; i < length; i++) {
                    into[i] = first ? weight * values[i] : into[i] + weight * values[i];
                }
                first = false;
            }
        }
        if (first) {
            Arrays.fill(into, 0, length, 0);
        }
    }

    @Override
    public void state(int from, int length, float[] into) {
        int first = firstWithSamples();
        PushedFloats push = first < 0 ? null : gradients[first];
        if (push == null) {
            Arrays.fill(into, 0, length, 0);
        } else {
            push.get(from, length, into);
        }
    }

    /** The number of steps before this one. */
    long number() {
        ShardHeader first = headers[0];
        return first == null ? 0 : first.step();
    }

    /** The settings of the first worker with samples. */
    float[] settings() {
        int first = firstWithSamples();
        PushedFloats push = first < 0 ? null : gradients[first];
        return push == null ? new float[0] : push.settings();
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
