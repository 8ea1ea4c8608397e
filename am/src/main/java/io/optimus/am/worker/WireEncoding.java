package io.optimus.am.worker;

import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.shards.Bfloat16;
import io.optimus.am.wire.shards.ShardChannel;
import io.optimus.am.wire.shards.ShardFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes and reads the flat vector where its parameters go as bfloat16s. What rounding took from a gradient is added to the next one,
 * so that small gradients are not lost (error feedback: Seide et al., Interspeech 2014; Karimireddy et al., ICML 2019).
 *
 * <p>Example: gradients of 1 + 2⁻⁹ go as 1, 1, 1 + 2⁻⁷, 1 and so on: four of them have the right sum.
 *
 * <p>Threads may write and read different floats at once.
 */
final class WireEncoding {
    /** Floats that are converted at a time, which fit into a processor's first cache. */
    private static final int PIECE = 2048;

    private final WireFormat format;
    private final Ranges parameters;
    private final Map<Ranges, ShardFormat> formats = new ConcurrentHashMap<>();
    /** What rounding took from each float's last gradient, up to the last parameter. Empty if nothing is rounded. */
    private final FloatBuffer errors;

    /**
     * Encodes the flat vector of a model with these tensors.
     *
     * @throws OutOfMemoryError if there is no room for the errors
     */
    WireEncoding(WireFormat format, List<ParameterBlock> blocks) {
        this.format = format;
        List<Range> trained = new ArrayList<>();
        int offset = 0;
        for (ParameterBlock block : blocks) {
            if (block.trainable()) {
                trained.add(new Range(offset, block.floats()));
            }
            offset += block.floats();
        }
        this.parameters = Ranges.of(trained);
        int rounded = format.rounds() && !trained.isEmpty()
                ? trained.get(trained.size() - 1).end()
                : 0;
        this.errors = ShardChannel.direct(rounded * Float.BYTES).asFloatBuffer();
    }

    /** How the floats of a shard are written in a push, and in its answer. */
    ShardFormat of(Ranges shard) {
        return formats.computeIfAbsent(shard, ranges -> ShardFormat.of(format, ranges, parameters));
    }

    /** Other servers hold the vector from now on. */
    void forgetFormats() {
        formats.clear();
    }

    /**
     * What rounding took from the last gradient is not missing any more: it may not have reached all servers, or training has gone
     * back. Nobody writes meanwhile.
     */
    void forgetErrors() {
        for (int i = 0; i < errors.capacity(); i++) {
            errors.put(i, 0);
        }
    }

    /**
     * Writes a part of a gradient.
     *
     * @param flat the flat vector, of little-endian floats
     * @param shard the floats of it that the server holds
     * @param layout how they are written
     * @param from the first float of the part in the shard
     * @param to the float behind it
     * @param counts whether the server applies the gradient; otherwise errors are kept for another one
     * @param out takes the words of the part, at its position
     */
    void write(ByteBuffer flat, Ranges shard, ShardFormat layout, int from, int to, boolean counts, ByteBuffer out) {
        FloatBuffer vector = floats(flat);
        FloatBuffer piece = FloatBuffer.allocate(PIECE);
        int begin = out.position();
        int at = from;
        for (Range range : shard.part(from, to - from)) {
            for (Range some : range.parts(PIECE)) {
                piece.put(0, vector, some.offset(), some.length());
                if (counts) {
                    addErrors(layout, at, some, piece);
                }
                layout.writeMore(at, at + some.length(), piece, 0, out);
                at += some.length();
            }
        }
        out.position(begin + layout.words(from, to) * Float.BYTES);
    }

    private void addErrors(ShardFormat layout, int from, Range range, FloatBuffer values) {
        int to = from + range.length();
        for (int at = from; at < to; at = layout.sameUntil(at, to)) {
            if (layout.isHalf(at)) {
                int end = layout.sameUntil(at, to);
                for (int i = at - from; i < end - from; i++) {
                    float whole = values.get(i) + errors.get(range.offset() + i);
                    float error = whole - Bfloat16.value(Bfloat16.round(whole));
                    errors.put(range.offset() + i, Float.isFinite(error) ? error : 0);
                    values.put(i, whole);
                }
            }
        }
    }

    /**
     * Reads a part of an answer.
     *
     * @param in the words of the part, from position 0
     * @param shard the floats of the flat vector that the server holds
     * @param layout how they are written
     * @param from the first float of the part in the shard
     * @param to the float behind it
     * @param flat takes the part
     */
    void read(ByteBuffer in, Ranges shard, ShardFormat layout, int from, int to, ByteBuffer flat) {
        FloatBuffer vector = floats(flat);
        float[] piece = new float[PIECE];
        int at = from;
        for (Range range : shard.part(from, to - from)) {
            for (Range some : range.parts(PIECE)) {
                layout.read(at, at + some.length(), in, layout.bytes(from, at), piece, 0);
                vector.put(some.offset(), piece, 0, some.length());
                at += some.length();
            }
        }
    }

    private static FloatBuffer floats(ByteBuffer flat) {
        return flat.duplicate().order(ByteOrder.LITTLE_ENDIAN).clear().asFloatBuffer();
    }
}
