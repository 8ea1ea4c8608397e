package io.optimus.am.checkpoint;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.files.CheckpointTransfer;
import io.optimus.am.wire.files.CheckpointTransfer.Part;
import io.optimus.am.wire.files.CheckpointTransfer.Sink;
import io.optimus.am.wire.files.StoredPart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of checkpoints. What is in one is told at its end, so that it is written in one go and a reader fetches only the parts
 * that it wants:
 *
 * <pre>
 * checkpoint: "OPTCKPT1", version; floats of each part, in any order; contents; tail
 * part        (1 + slots) · length little-endian floats: the parameters of a range, then their optimizer state, slot after slot
 * contents    slots; number of parts; offset, length and CRC-32C of each, in the order of the file; length and JSON of {@link Meta}
 * tail        position of the contents; CRC-32C of that position; CRC-32C of the contents
 * </pre>
 *
 * <p>The parts of a whole checkpoint hold each parameter once.
 */
final class CheckpointFile {
    private static final long MAGIC = 0x4f5054434b505431L;
    private static final int VERSION = 2;
    /** The number of bytes before the first part. */
    private static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;
    /** The number of bytes behind the contents. */
    private static final int TAIL_BYTES = Long.BYTES + 2 * Integer.BYTES;

    /** A sender's floats that are written together: 32 parts without state, ten with that of Adam. */
    private static final int RUN_BYTES = 32 * CheckpointTransfer.PART_FLOATS * Float.BYTES;

    private static final ObjectMapper JSON = new ObjectMapper();

    private CheckpointFile() {}

    /**
     * Describes a checkpoint.
     *
     * @param step the next step
     * @param floats the number of its parameters
     * @param losses the losses before {@code step}; files of all builds name them so
     */
    record Meta(long step, int floats, @JsonProperty("ledger") StepLosses.State losses) {}

    private static int checksum(long position) {
        return StoredPart.checksum(ByteBuffer.allocate(Long.BYTES).putLong(position));
    }

    private static List<StoredPart> byRange(List<StoredPart> parts) {
        List<StoredPart> sorted = new ArrayList<>(parts);
        sorted.sort((a, b) -> a.range().compareTo(b.range()));
        return sorted;
    }

    private static void checkWhole(List<StoredPart> parts, int floats) throws IOException {
        int next = 0;
        for (StoredPart part : byRange(parts)) {
            if (part.range().offset() != next) {
                throw new IOException("does not hold float " + next + " once");
            }
            next = part.range().end();
        }
        if (next != floats) {
            throw new IOException("holds " + next + " of " + floats + " floats");
        }
    }

    /**
     * Parts of one sender that are written one behind the other. Senders come at the same time; one that reads its own parts again
     * does not have to seek each of them.
     */
    static final class Run {
        private final int slots;
        private final ByteBuffer bytes;
        /** The positions are those in this run. */
        private final List<StoredPart> parts = new ArrayList<>();

        Run(int slots) {
            this.slots = slots;
            this.bytes = ByteBuffer.allocate(RUN_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        }

        void clear() {
            bytes.clear();
            parts.clear();
        }

        boolean hasRoom(Part part) {
            return bytes.remaining() >= StoredPart.bytes(part.range(), slots);
        }

        void add(Part part) {
            int from = bytes.position();
            ByteBuffer floats =
                    bytes.slice(from, StoredPart.bytes(part.range(), slots)).order(bytes.order());
            floats.asFloatBuffer().put(part.floats().duplicate());
            parts.add(new StoredPart(part.range(), from, StoredPart.checksum(floats)));
            bytes.position(from + floats.limit());
        }
    }

    /** Writes a checkpoint. Several threads may add runs. */
    static final class Writer {
        private final DataOutputStream out;
        private final int slots;
        private final List<StoredPart> parts = new ArrayList<>();
        private long position = HEAD_BYTES;

        Writer(OutputStream file, int slots) throws IOException {
            this.out = new DataOutputStream(file);
            this.slots = slots;
            out.writeLong(MAGIC);
            out.writeInt(VERSION);
        }

        /** Adds the parts of {@code run}. */
        @SuppressWarnings("ByteBufferBackingArray") // allocated by Run
        synchronized void add(Run run) throws IOException {
            out.write(run.bytes.array(), 0, run.bytes.position());
            for (StoredPart part : run.parts) {
                parts.add(new StoredPart(part.range(), position + part.position(), part.checksum()));
            }
            position += run.bytes.position();
        }

        /**
         * Ends the checkpoint.
         *
         * @throws IOException if the parts do not hold each of its parameters once, or the file cannot be written
         */
        synchronized void finish(Meta meta) throws IOException {
            checkWhole(parts, meta.floats());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream contents = new DataOutputStream(bytes);
            contents.writeInt(slots);
            contents.writeInt(parts.size());
            for (StoredPart part : parts) {
                contents.writeInt(part.range().offset());
                contents.writeInt(part.range().length());
                contents.writeInt(part.checksum());
            }
            byte[] json = JSON.writeValueAsBytes(meta);
            contents.writeInt(json.length);
            contents.write(json);
            out.write(bytes.toByteArray());
            out.writeLong(position);
            out.writeInt(checksum(position));
            out.writeInt(StoredPart.checksum(ByteBuffer.wrap(bytes.toByteArray())));
            out.flush();
        }
    }

    /** Reads a checkpoint. Each part is compared with its checksum when it is read. */
    static final class Reader {
        private final StoreInput file;
        private final int slots;
        private final List<StoredPart> parts;
        private final Meta meta;
        /** The part that was read last. */
        private final ByteBuffer buffer;

        /**
         * Reads what is in a checkpoint.
         *
         * @throws UnusableException if another version has written it
         * @throws IOException if it is damaged or not whole
         */
        Reader(StoreInput file) throws IOException {
            this.file = file;
            long end = file.length() - TAIL_BYTES;
            if (end < HEAD_BYTES) {
                throw new IOException("damaged: only " + file.length() + " bytes");
            }
            DataInputStream head = stream(0, HEAD_BYTES);
            if (head.readLong() != MAGIC) {
                throw new IOException("not a checkpoint");
            }
            int version = head.readInt();
            if (version != VERSION) {
                throw new UnusableException("another version of Optimus has written it, in format " + version
                        + ", and this one reads format " + VERSION);
            }
            DataInputStream tail = stream(end, TAIL_BYTES);
            long position = tail.readLong();
            long length = end - position;
            if (tail.readInt() != checksum(position) || length < 0 || length > Integer.MAX_VALUE - Long.BYTES) {
                throw new IOException("damaged: contents from byte " + position + " to " + end);
            }
            byte[] contents = new byte[(int) length];
            file.read(position, contents, contents.length);
            if (tail.readInt() != StoredPart.checksum(ByteBuffer.wrap(contents))) {
                throw new IOException("damaged: the checksum of its contents differs");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(contents));
            slots = in.readInt();
            parts = parts(in, position);
            meta = JSON.readValue(in.readNBytes(in.readInt()), Meta.class);
            checkWhole(parts, meta.floats());
            buffer = CheckpointTransfer.buffer(slots);
        }

        private DataInputStream stream(long from, int length) throws IOException {
            byte[] read = new byte[length];
            file.read(from, read, length);
            return new DataInputStream(new ByteArrayInputStream(read));
        }

        private List<StoredPart> parts(DataInputStream in, long end) throws IOException {
            if (slots < 0 || slots > CheckpointTransfer.MOST_SLOTS) {
                throw new IOException("damaged: " + slots + " state slots");
            }
            List<StoredPart> read = new ArrayList<>();
            long position = HEAD_BYTES;
            for (int left = in.readInt(); left > 0; left--) {
                Range range = new Range(in.readInt(), in.readInt());
                StoredPart part = new StoredPart(range, position, in.readInt());
                if (range.length() > CheckpointTransfer.PART_FLOATS) {
                    throw new IOException("damaged: a part of " + range.length() + " floats");
                }
                read.add(part);
                position = part.end(slots);
            }
            if (position != end) {
                throw new IOException("damaged: parts of " + position + " bytes in " + end);
            }
            return read;
        }

        Meta meta() {
            return meta;
        }

        int slots() {
            return slots;
        }

        /** The parts that have some of the {@code wanted} parameters, in the order of the file. */
        List<StoredPart> parts(Ranges wanted) {
            return parts.stream()
                    .filter(part ->
                            !wanted.and(new Ranges(List.of(part.range()))).isEmpty())
                    .toList();
        }

        /**
         * Passes the {@code wanted} ranges on, part by part, in the order of the file.
         *
         * @throws IOException if one of their parts is damaged; some may have been passed on by then
         */
        void read(Ranges wanted, Sink sink) throws IOException {
            for (StoredPart part : parts) {
                part.read(file::read, slots, buffer, wanted, sink);
            }
        }

        /**
         * Passes all parts on, in the order of their ranges.
         *
         * @throws IOException if one is damaged; some may have been passed on by then
         */
        void readInOrder(Sink sink) throws IOException {
            for (StoredPart part : byRange(parts)) {
                sink.accept(part.read(file::read, slots, buffer), slots);
            }
        }
    }
}
