package io.optimus.am.wire.shards;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/** The settings of a push and its gradient, as far as they have arrived. Threads may read different floats at once. */
public final class PushedFloats {
    private final ByteBuffer bytes;
    private final FloatBuffer words;
    private final ShardFormat format;
    private final int settings;

    /**
     * Wraps a push.
     *
     * @param bytes the settings, then the parts of the gradient in the order of their floats, from position 0
     * @param settings the number of settings
     */
    public PushedFloats(ByteBuffer bytes, ShardFormat format, int settings) {
        this.bytes = bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
        this.words = this.bytes.asFloatBuffer();
        this.format = format;
        this.settings = settings;
    }

    /** The learning rate and the weight decay of each parameter group; empty if the push has none. */
    public float[] settings() {
        float[] values = new float[settings];
        words.get(0, values);
        return values;
    }

    /** Reads {@code length} floats of the gradient, from float {@code from} of the shard on, into the first elements. */
    public void get(int from, int length, float[] into) {
        if (format.isPlain()) {
            words.get(settings + from, into, 0, length);
            return;
        }
        Parts parts = format.parts();
        int end = from + length;
        for (int at = from; at < end; ) {
            int part = parts.partOf(at);
            int to = Math.min(end, parts.to(part));
            int position = (settings + format.wordsBefore(part)) * Float.BYTES + format.bytes(parts.from(part), at);
            format.read(at, to, bytes, position, into, at - from);
            at = to;
        }
    }
}
