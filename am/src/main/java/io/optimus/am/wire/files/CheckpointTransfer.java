package io.optimus.am.wire.files;

import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The format in which a task and the coordinator transfer parts of a checkpoint, one transfer after the other on a connection:
 *
 * <pre>
 * task → {@link #SAVE}: membership, step, state slots, parts…, end;   coordinator → 1 when it has all, 2 if its store failed
 * task → {@link #WHERE}: checkpoint's name, ranges that it wants;   coordinator → 1, {@link StoredParts}
 * task → {@link #LOAD}: checkpoint's name, ranges that it wants;   coordinator → 1, state slots, parts of these ranges…, end
 * part = offset, length, then (1 + slots) · length little-endian floats; end = offset −1
 * ranges = their number, then offset and length of each
 * </pre>
 */
public final class CheckpointTransfer {
    public static final byte SAVE = 'S';
    public static final byte WHERE = 'W';
    public static final byte LOAD = 'L';

    /** The most floats of a part: 64 KiB per slot, so that no process needs a second copy of a shard. */
    public static final int PART_FLOATS = 1 << 14;
    /** Adam keeps two. A file that claims many more is not a checkpoint. */
    public static final int MOST_SLOTS = 8;

    /** The coordinator has received or found what was asked for. */
    public static final byte DONE = 1;
    /** The coordinator's store has failed. */
    public static final byte STORE_FAILED = 2;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int END = -1;

    private CheckpointTransfer() {}

    /** A range of parameters and of their state, slot after slot. */
    public record Part(Range range, FloatBuffer floats) {
        /** Returns the floats of {@code inner}, a range within this part, in the same layout. */
        public FloatBuffer of(Range inner, int slots) {
            if (inner.equals(range)) {
                return floats.duplicate();
            }
            FloatBuffer cut = FloatBuffer.allocate((1 + slots) * inner.length());
            for (int slot = 0; slot <= slots; slot++) {
                int from = slot * range.length() + inner.offset() - range.offset();
                cut.put(slot * inner.length(), floats, from, inner.length());
            }
            return cut;
        }
    }

    /** Takes parts. */
    @FunctionalInterface
    public interface Sink {
        /** Takes a part and the number of its state slots. Its floats are valid during the call. */
        void accept(Part part, int slots) throws IOException;
    }

    /** Returns a buffered stream to write parts to. */
    public static DataOutputStream output(Socket socket) throws IOException {
        return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES));
    }

    /** Returns a buffered stream to read parts from. */
    public static DataInputStream input(Socket socket) throws IOException {
        return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
    }

    /** Returns a buffer for the floats of one part. */
    public static ByteBuffer buffer(int slots) {
        return ByteBuffer.allocate((1 + slots) * PART_FLOATS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    static void writeRanges(DataOutputStream out, Ranges ranges) throws IOException {
        out.writeInt(ranges.list().size());
        for (Range range : ranges.list()) {
            out.writeInt(range.offset());
            out.writeInt(range.length());
        }
    }

    /**
     * Reads the ranges that a task wants.
     *
     * @throws IOException if they are not ranges
     */
    public static Ranges readRanges(DataInputStream in) throws IOException {
        List<Range> ranges = new ArrayList<>();
        try {
            for (int left = in.readInt(); left > 0; left--) {
                ranges.add(new Range(in.readInt(), in.readInt()));
            }
            return new Ranges(ranges);
        } catch (IllegalArgumentException e) {
            throw new IOException("Not the ranges of a shard: " + e.getMessage(), e);
        }
    }

    /** Writes a part whose floats fill {@code bytes} up to its limit. */
    @SuppressWarnings("ByteBufferBackingArray") // from buffer(), which allocates
    public static void writePart(DataOutputStream out, Range range, ByteBuffer bytes) throws IOException {
        out.writeInt(range.offset());
        out.writeInt(range.length());
        out.write(bytes.array(), 0, bytes.limit());
    }

    /** Writes the mark that no part follows. */
    public static void writeEnd(DataOutputStream out) throws IOException {
        out.writeInt(END);
        out.flush();
    }

    /** Reads parts up to the end. */
    @SuppressWarnings("ByteBufferBackingArray") // from buffer(), which allocates
    public static void readParts(DataInputStream in, int slots, Sink sink) throws IOException {
        if (slots < 0 || slots > MOST_SLOTS) {
            throw new IOException("Not a checkpoint: " + slots + " state slots");
        }
        ByteBuffer buffer = buffer(slots);
        for (int offset = in.readInt(); offset != END; offset = in.readInt()) {
            int length = in.readInt();
            if (offset < 0 || length < 1 || length > PART_FLOATS || offset > Integer.MAX_VALUE - length) {
                throw new IOException("Not a part of a checkpoint: offset " + offset + " length " + length);
            }
            in.readFully(buffer.array(), 0, (1 + slots) * length * Float.BYTES);
            buffer.clear().limit((1 + slots) * length * Float.BYTES);
            sink.accept(new Part(new Range(offset, length), buffer.asFloatBuffer()), slots);
        }
    }
}
