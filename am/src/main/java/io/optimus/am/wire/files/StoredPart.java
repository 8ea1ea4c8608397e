package io.optimus.am.wire.files;

import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.files.CheckpointTransfer.Part;
import io.optimus.am.wire.files.CheckpointTransfer.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Where a part of a checkpoint is in its file.
 *
 * @param range the parameters of the part
 * @param position the position of its first byte; it has {@link #bytes}, laid out as in {@link CheckpointTransfer}
 * @param checksum the CRC-32C of these bytes
 */
public record StoredPart(Range range, long position, int checksum) {
    /** A file that is read at any position. */
    @FunctionalInterface
    public interface Bytes {
        /**
         * Reads {@code count} bytes from position {@code from} on.
         *
         * @throws java.io.EOFException if the file ends before
         */
        void read(long from, byte[] into, int count) throws IOException;
    }

    /** The number of bytes of {@code range} with the state of so many slots. */
    public static int bytes(Range range, int slots) {
        return (1 + slots) * range.length() * Float.BYTES;
    }

    /** The CRC-32C of the bytes from 0 to the limit. */
    public static int checksum(ByteBuffer bytes) {
        Checksum sum = new CRC32C();
        sum.update(bytes.duplicate().position(0));
        return (int) sum.getValue();
    }

    /** The position of the byte behind the part. */
    public long end(int slots) {
        return position + bytes(range, slots);
    }

    /**
     * Reads the part, and returns it as long as {@code buffer} is not used for another one.
     *
     * @param buffer from {@link CheckpointTransfer#buffer}
     * @throws IOException if it is damaged or cannot be read
     */
    @SuppressWarnings("ByteBufferBackingArray") // from CheckpointTransfer.buffer, which allocates
    public Part read(Bytes file, int slots, ByteBuffer buffer) throws IOException {
        buffer.clear().limit(bytes(range, slots));
        file.read(position, buffer.array(), buffer.limit());
        if (checksum(buffer) != checksum) {
            throw new IOException("damaged: the checksum of " + range + " differs");
        }
        return new Part(range, buffer.asFloatBuffer());
    }

    /** Reads the part if it has some of the {@code wanted} parameters, and passes these on. */
    public void read(Bytes file, int slots, ByteBuffer buffer, Ranges wanted, Sink sink) throws IOException {
        List<Range> here = wanted.and(new Ranges(List.of(range))).list();
        if (!here.isEmpty()) {
            Part part = read(file, slots, buffer);
            for (Range inner : here) {
                sink.accept(new Part(inner, part.of(inner, slots)), slots);
            }
        }
    }
}
