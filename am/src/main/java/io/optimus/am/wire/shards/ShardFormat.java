package io.optimus.am.wire.shards;

import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * How the floats of a shard are written in pushes and answers: all as little-endian floats, or those of parameters as bfloat16s and
 * the others as floats. Floats that are written together fill whole words of four bytes.
 *
 * <p>Example: of the 6 floats of a shard the first 3 are parameters. As bfloat16s these take 3 · 2 bytes, the others 3 · 4; with 2
 * that fill up, 5 words.
 */
public final class ShardFormat {
    private static final int HALF_BYTES = Short.BYTES;

    private final Parts parts;
    /** The stretches that are written as bfloat16s, in the shard's order: the first float of each, and the one behind it. */
    private final int[] starts;

    private final int[] ends;
    /** The bfloat16s before each stretch. */
    private final int[] halvesBefore;
    /** The words before each part in a push. */
    private final int[] wordsBefore;

    private ShardFormat(int floats, int[] starts, int[] ends) {
        this.parts = Parts.of(floats);
        this.starts = starts;
        this.ends = ends;
        this.halvesBefore = new int[starts.length];
        for (int i = 1; i < starts.length; i++) {
            halvesBefore[i] = halvesBefore[i - 1] + ends[i - 1] - starts[i - 1];
        }
        this.wordsBefore = new int[parts.count() + 1];
        for (int part = 0; part < parts.count(); part++) {
            wordsBefore[part + 1] = wordsBefore[part] + words(parts.from(part), parts.to(part));
        }
    }

    /**
     * Returns the format of a shard. Worker and server compute the same one.
     *
     * @param shard its floats of the flat vector
     * @param parameters the floats of the flat vector that are parameters
     */
    public static ShardFormat of(WireFormat format, Ranges shard, Ranges parameters) {
        Ranges halves = format.rounds() ? shard.and(parameters) : Ranges.NONE;
        int[] starts = halves.list().stream().mapToInt(shard::localOffset).toArray();
        int[] lengths = halves.list().stream().mapToInt(Range::length).toArray();
        int[] ends = new int[starts.length];
        Arrays.setAll(ends, i -> starts[i] + lengths[i]);
        return new ShardFormat(shard.floats(), starts, ends);
    }

    /** Returns the format of a shard whose floats are written as they are. */
    public static ShardFormat plain(Ranges shard) {
        return of(WireFormat.FLOAT32, shard, Ranges.NONE);
    }

    /** The parts in which the shard is pushed and answered. */
    public Parts parts() {
        return parts;
    }

    /** Whether all floats are written as they are. */
    public boolean isPlain() {
        return starts.length == 0;
    }

    /** The number of words of floats [from, to), which are written together. */
    public int words(int from, int to) {
        return (bytes(from, to) + Float.BYTES - 1) / Float.BYTES;
    }

    /** The number of words of a gradient, whose parts are each written together. */
    public int words() {
        return wordsBefore[parts.count()];
    }

    /** The number of words before a part of a gradient. */
    int wordsBefore(int part) {
        return wordsBefore[part];
    }

    /** The number of bytes of floats [from, to), without those that fill up. */
    public int bytes(int from, int to) {
        return (to - from) * Float.BYTES - (halvesBefore(to) - halvesBefore(from)) * (Float.BYTES - HALF_BYTES);
    }

    /** The index of the last stretch that begins at or before {@code place}; −1 if there is none. */
    private int stretch(int place) {
        int found = Arrays.binarySearch(starts, place);
        return found >= 0 ? found : -found - 2;
    }

    private int halvesBefore(int place) {
        int stretch = stretch(place);
        return stretch < 0 ? 0 : halvesBefore[stretch] + Math.min(place, ends[stretch]) - starts[stretch];
    }

    /** Whether a float is written as a bfloat16. */
    public boolean isHalf(int place) {
        int stretch = stretch(place);
        return stretch >= 0 && place < ends[stretch];
    }

    /** The first float behind {@code place} that is not written as those before it; at most {@code end}. */
    public int sameUntil(int place, int end) {
        int stretch = stretch(place);
        if (stretch >= 0 && place < ends[stretch]) {
            return Math.min(end, ends[stretch]);
        }
        return stretch + 1 < starts.length ? Math.min(end, starts[stretch + 1]) : end;
    }

    /**
     * Writes floats [from, to) together, and moves the position of {@code out} behind their words.
     *
     * @param values the floats, that of {@code from} at index {@code first}
     */
    public void write(int from, int to, FloatBuffer values, int first, ByteBuffer out) {
        int begin = out.position();
        writeMore(from, to, values, first, out);
        out.position(begin + words(from, to) * Float.BYTES);
    }

    /** Writes floats that are to be followed by others of the same words, as {@link #write}. */
    public void writeMore(int from, int to, FloatBuffer values, int first, ByteBuffer out) {
        for (int at = from; at < to; ) {
            int end = sameUntil(at, to);
            int index = first + at - from;
            int position = out.position();
            if (isHalf(at)) {
                for (int i = 0; i < end - at; i++) {
                    out.putShort(position + i * HALF_BYTES, Bfloat16.round(values.get(index + i)));
                }
                out.position(position + (end - at) * HALF_BYTES);
            } else {
                out.slice(position, (end - at) * Float.BYTES)
                        .order(out.order())
                        .asFloatBuffer()
                        .put(0, values, index, end - at);
                out.position(position + (end - at) * Float.BYTES);
            }
            at = end;
        }
    }

    /**
     * Reads floats [from, to).
     *
     * @param in has them at {@code position}, as {@link #write} wrote them
     * @param into takes them, that of {@code from} at index {@code first}
     */
    public void read(int from, int to, ByteBuffer in, int position, float[] into, int first) {
        int next = position;
        for (int at = from; at < to; ) {
            int end = sameUntil(at, to);
            int index = first + at - from;
            if (isHalf(at)) {
                for (int i = 0; i < end - at; i++) {
                    into[index + i] = Bfloat16.value(in.getShort(next + i * HALF_BYTES));
                }
                next += (end - at) * HALF_BYTES;
            } else {
                int bytes = (end - at) * Float.BYTES;
                in.slice(next, bytes).order(in.order()).asFloatBuffer().get(into, index, end - at);
                next += bytes;
            }
            at = end;
        }
    }
}
