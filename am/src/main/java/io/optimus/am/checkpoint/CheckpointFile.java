package io.optimus.am.checkpoint;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.CheckpointTransfer;
import io.optimus.am.wire.CheckpointTransfer.Part;
import io.optimus.am.wire.CheckpointTransfer.Sink;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
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
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

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

    /** A sender's floats that are written together: twelve parts without state, four with that of Adam. */
    private static final int RUN_BYTES = 12 * CheckpointTransfer.PART_FLOATS * Float.BYTES;

    private static final ObjectMapper JSON = new ObjectMapper();

    private CheckpointFile() {}

    /**
     * Describes a checkpoint.
     *
     * @param step the next step
     * @param floats the number of its parameters
     * @param losses the losses before {@code step}
     */
    record Meta(long step, int floats, @JsonProperty("ledger") StepLosses.State losses) {}

    /** A part of a file: its range, the position of its floats in bytes, and their CRC-32C. */
    private record Place(Range range, long position, int checksum) {
        long end(int slots) {
            return position + bytes(range, slots);
        }
    }

    private static int bytes(Range range, int slots) {
        return (1 + slots) * range.length() * Float.BYTES;
    }

    /** The CRC-32C of the bytes from 0 to the limit. */
    private static int checksum(ByteBuffer bytes) {
        Checksum sum = new CRC32C();
        sum.update(bytes.duplicate().position(0));
        return (int) sum.getValue();
    }

    private static int checksum(long position) {
        return checksum(ByteBuffer.allocate(Long.BYTES).putLong(position));
    }

    private static List<Place> byRange(List<Place> places) {
        List<Place> sorted = new ArrayList<>(places);
        sorted.sort((a, b) -> a.range().compareTo(b.range()));
        return sorted;
    }

    private static void checkWhole(List<Place> places, int floats) throws IOException {
        int next = 0;
        for (Place place : byRange(places)) {
            if (place.range().offset() != next) {
                throw new IOException("does not hold float " + next + " once");
            }
            next = place.range().end();
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
        private final List<Place> places = new ArrayList<>();

        Run(int slots) {
            this.slots = slots;
            this.bytes = ByteBuffer.allocate(RUN_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        }

        void clear() {
            bytes.clear();
            places.clear();
        }

        boolean hasRoom(Part part) {
            return bytes.remaining() >= bytes(part.range(), slots);
        }

        void add(Part part) {
            int from = bytes.position();
            ByteBuffer floats = bytes.slice(from, bytes(part.range(), slots)).order(bytes.order());
            floats.asFloatBuffer().put(part.floats().duplicate());
            places.add(new Place(part.range(), from, checksum(floats)));
            bytes.position(from + floats.limit());
        }
    }

    /** Writes a checkpoint. Several threads may add runs. */
    static final class Writer {
        private final DataOutputStream out;
        private final int slots;
        private final List<Place> places = new ArrayList<>();
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
            for (Place place : run.places) {
                places.add(new Place(place.range(), position + place.position(), place.checksum()));
            }
            position += run.bytes.position();
        }

        /**
         * Ends the checkpoint.
         *
         * @throws IOException if the parts do not hold each of its parameters once, or the file cannot be written
         */
        synchronized void finish(Meta meta) throws IOException {
            checkWhole(places, meta.floats());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream contents = new DataOutputStream(bytes);
            contents.writeInt(slots);
            contents.writeInt(places.size());
            for (Place place : places) {
                contents.writeInt(place.range().offset());
                contents.writeInt(place.range().length());
                contents.writeInt(place.checksum());
            }
            byte[] json = JSON.writeValueAsBytes(meta);
            contents.writeInt(json.length);
            contents.write(json);
            out.write(bytes.toByteArray());
            out.writeLong(position);
            out.writeInt(checksum(position));
            out.writeInt(checksum(ByteBuffer.wrap(bytes.toByteArray())));
            out.flush();
        }
    }

    /** Reads a checkpoint. Each part is compared with its checksum when it is read. */
    static final class Reader {
        private final StoreInput file;
        private final int slots;
        private final List<Place> places;
        private final Meta meta;
        /** The part that was read last. */
        private final ByteBuffer bytes;

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
            if (tail.readInt() != checksum(ByteBuffer.wrap(contents))) {
                throw new IOException("damaged: the checksum of its contents differs");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(contents));
            slots = in.readInt();
            places = places(in, position);
            meta = JSON.readValue(in.readNBytes(in.readInt()), Meta.class);
            checkWhole(places, meta.floats());
            bytes = CheckpointTransfer.buffer(slots);
        }

        private DataInputStream stream(long from, int length) throws IOException {
            byte[] read = new byte[length];
            file.read(from, read, length);
            return new DataInputStream(new ByteArrayInputStream(read));
        }

        private List<Place> places(DataInputStream in, long end) throws IOException {
            if (slots < 0 || slots > CheckpointTransfer.MOST_SLOTS) {
                throw new IOException("damaged: " + slots + " state slots");
            }
            List<Place> read = new ArrayList<>();
            long position = HEAD_BYTES;
            for (int left = in.readInt(); left > 0; left--) {
                Range range = new Range(in.readInt(), in.readInt());
                Place place = new Place(range, position, in.readInt());
                if (range.length() > CheckpointTransfer.PART_FLOATS) {
                    throw new IOException("damaged: a part of " + range.length() + " floats");
                }
                read.add(place);
                position = place.end(slots);
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

        /**
         * Passes the {@code wanted} ranges on, part by part, in the order of the file.
         *
         * @throws IOException if one of their parts is damaged; some may have been passed on by then
         */
        void read(Ranges wanted, Sink sink) throws IOException {
            for (Place place : places) {
                List<Range> here =
                        wanted.and(new Ranges(List.of(place.range()))).list();
                if (!here.isEmpty()) {
                    Part part = part(place);
                    for (Range range : here) {
                        sink.accept(new Part(range, part.of(range, slots)), slots);
                    }
                }
            }
        }

        /**
         * Passes all parts on, in the order of their ranges.
         *
         * @throws IOException if one is damaged; some may have been passed on by then
         */
        void readInOrder(Sink sink) throws IOException {
            for (Place place : byRange(places)) {
                sink.accept(part(place), slots);
            }
        }

        @SuppressWarnings("ByteBufferBackingArray") // from CheckpointTransfer.buffer, which allocates
        private Part part(Place place) throws IOException {
            bytes.clear().limit(bytes(place.range(), slots));
            file.read(place.position(), bytes.array(), bytes.limit());
            if (checksum(bytes) != place.checksum()) {
                throw new IOException("damaged: the checksum of " + place.range() + " differs");
            }
            return new Part(place.range(), bytes.asFloatBuffer());
        }
    }
}
