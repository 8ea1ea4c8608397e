package io.optimus.am.wire.shards;

import io.optimus.am.wire.Handshake;
import io.optimus.am.wire.MembershipNumber;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header of a frame on a connection for shards.
 *
 * @param kind the kind of frame
 * @param last whether this is the last step of the membership (pushes of the first worker, and the replies); in a reply to an
 *     asynchronous push, whether its worker stops
 * @param number the membership of the sender
 * @param step the step of a push, otherwise the next step; of an asynchronous push, the worker's own count
 * @param place the rank of the worker that pushes, or the first float of the range that moves
 * @param share the number of samples in the gradient, or of parameters in an answer; 0 or more
 * @param batch the number of samples in the step, 1 or more
 * @param loss the mean loss of the worker's samples; in a reply, of the step
 * @param words the number of 4-byte words that follow: floats, or bfloat16s, see {@link ShardFormat}
 */
public record ShardHeader(
        Kind kind,
        boolean last,
        MembershipNumber number,
        long step,
        int place,
        int share,
        int batch,
        double loss,
        int words) {
    /** The length of a header in bytes. */
    public static final int BYTES = 48;

    /** The most words with which a frame still fits into one buffer. */
    public static final int MOST_WORDS = (Integer.MAX_VALUE - BYTES) / Float.BYTES;

    private static final int MAGIC = 0x4f505346;

    /** The kind of a frame. */
    public enum Kind {
        /** From a worker to a server: a gradient. The reply is PARAMETERS or REFUSED. */
        PUSH('G'),
        /** From a worker to a server: asks for parameters. The reply is PARAMETERS or REFUSED. */
        PULL('?'),
        /** From a server to a worker: parameters. */
        PARAMETERS('P'),
        /** From a server to a worker: the membership is superseded, or the step was given up. */
        REFUSED('X'),
        /** From a server to another one: parameters of a range, then its optimizer state, slot after slot. */
        MOVE('M');

        private final char code;

        Kind(char code) {
            this.code = code;
        }

        static Kind of(int code) throws IOException {
            return Arrays.stream(values())
                    .filter(kind -> kind.code == code)
                    .findFirst()
                    .orElseThrow(() -> new IOException("Not a shard frame: kind " + code));
        }
    }

    /** Returns the header of a frame without a gradient. */
    public static ShardHeader plain(Kind kind, MembershipNumber number, long step, int words) {
        return new ShardHeader(kind, false, number, step, 0, 0, 1, 0, words);
    }

    /** Returns the same header for another number of words. */
    public ShardHeader withWords(int count) {
        return new ShardHeader(kind, last, number, step, place, share, batch, loss, count);
    }

    /** Returns the same header for another membership. */
    public ShardHeader withNumber(MembershipNumber later) {
        return new ShardHeader(kind, last, later, step, place, share, batch, loss, words);
    }

    public void putInto(ByteBuffer buffer) {
        buffer.putInt(MAGIC)
                .put((byte) Handshake.VERSION)
                .put((byte) kind.code)
                .put((byte) (last ? 1 : 0))
                .put((byte) 0)
                .putInt(number.attempt())
                .putInt(number.number())
                .putLong(step)
                .putInt(place)
                .putInt(share)
                .putInt(batch)
                .putDouble(loss)
                .putInt(words);
    }

    /**
     * Reads a header.
     *
     * @throws IOException if the bytes are not a header, or it names an impossible length
     */
    static ShardHeader from(ByteBuffer buffer) throws IOException {
        int magic = buffer.getInt();
        int version = buffer.get();
        Kind kind = Kind.of(buffer.get());
        boolean last = buffer.get() != 0;
        buffer.get();
        ShardHeader header = new ShardHeader(
                kind,
                last,
                new MembershipNumber(buffer.getInt(), buffer.getInt()),
                buffer.getLong(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getDouble(),
                buffer.getInt());
        if (magic != MAGIC || version != Handshake.VERSION || header.words < 0 || header.words > MOST_WORDS) {
            throw new IOException("Not a shard frame of version " + Handshake.VERSION + ": magic "
                    + Integer.toHexString(magic) + " version " + version + " words " + header.words);
        }
        return header;
    }
}
