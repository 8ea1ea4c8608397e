package io.optimus.am.ps;

import io.optimus.am.wire.shards.Parts;
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
    final @Nullable ShardHeader[] headers;
    final @Nullable FloatBuffer[] gradients;
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

    PendingStep(int workers, Shard shard) {
        this.shard = shard;
        headers = new ShardHeader[workers];
        gradients = new FloatBuffer[workers];
        parts = Parts.of(shard.floats());
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
            FloatBuffer gradient = gradients[rank];
            if (header != null && gradient != null && header.share() > 0) {
                float weight = (float) weight(header);
                float[] values = first ? into : scratch;
                gradient.get(settings(header) + from, values, 0, length);
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
        FloatBuffer push = first < 0 ? null : gradients[first];
        ShardHeader header = first < 0 ? null : headers[first];
        if (push == null || header == null) {
            Arrays.fill(into, 0, length, 0);
        } else {
            push.get(settings(header) + from, into, 0, length);
        }
    }

    /** The number of steps before this one. */
    long number() {
        ShardHeader first = headers[0];
        return first == null ? 0 : first.step();
    }

    /** The number of settings before the gradient. */
    int settings(ShardHeader push) {
        return push.floats() - shard.floats();
    }

    /** The settings of the first worker with samples. */
    float[] settings() {
        int first = firstWithSamples();
        FloatBuffer push = first < 0 ? null : gradients[first];
        ShardHeader header = first < 0 ? null : headers[first];
        float[] settings = new float[header == null ? 0 : settings(header)];
        if (push != null) {
            push.get(0, settings);
        }
        return settings;
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
