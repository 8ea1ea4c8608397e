package io.optimus.am.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What stands before the floats on a connection for shards.
 *
 * @param kind what the frame is
 * @param last whether this is the last step of the membership (pushes of the first worker, and the replies)
 * @param number membership of the sender
 * @param step a push's or the next step's; of an asynchronous push, the worker's own count
 * @param place a push's rank among the workers; a moved range's first float in the flat vector
 * @param share samples behind a gradient, 0 or more
 * @param batch samples of the whole step, 1 or more
 * @param loss mean over the worker's samples, or of the step in a reply
 * @param floats that follow
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
        int floats) {
    /** Bytes on the wire. */
    public static final int BYTES = 48;

    /** A frame holds at most that many floats: what a buffer can hold, with room to spare. */
    public static final int MOST_FLOATS = 1 << 28;

    private static final int MAGIC = 0x4f505346;

    /** What a frame is. */
    public enum Kind {
        /** Worker to server: a gradient; answered by PARAMETERS or REFUSED. */
        PUSH('G'),
        /** Worker to server: asks for parameters; answered likewise. */
        PULL('?'),
        /** Server to worker. */
        PARAMETERS('P'),
        /** Server to worker: superseded membership, or a step that was given up. */
        REFUSED('X'),
        /** Server to server: parameters of a range, then its optimizer state, slot after slot. */
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

    /** A frame without a gradient. */
    public static ShardHeader plain(Kind kind, MembershipNumber number, long step, int floats) {
        return new ShardHeader(kind, false, number, step, 0, 0, 1, 0, floats);
    }

    /** The same, before another number of floats. */
    public ShardHeader withFloats(int count) {
        return new ShardHeader(kind, last, number, step, place, share, batch, loss, count);
    }

    /** The same, sent in another membership. */
    public ShardHeader withNumber(MembershipNumber later) {
        return new ShardHeader(kind, last, later, step, place, share, batch, loss, floats);
    }

    /** Appends itself. */
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
                .putInt(floats);
    }

    /**
     * Reads one.
     *
     * @throws IOException if it is none, or names an impossible length
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
        if (magic != MAGIC || version != Handshake.VERSION || header.floats < 0 || header.floats > MOST_FLOATS) {
            throw new IOException("Not a shard frame of version " + Handshake.VERSION + ": magic "
                    + Integer.toHexString(magic) + " version " + version + " floats " + header.floats);
        }
        return header;
    }
}
