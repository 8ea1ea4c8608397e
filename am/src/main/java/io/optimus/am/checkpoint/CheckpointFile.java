package io.optimus.am.checkpoint;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.CheckpointTransfer;
import io.optimus.am.wire.CheckpointTransfer.Part;
import io.optimus.am.wire.CheckpointTransfer.Sink;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The format of checkpoints.
 *
 * <pre>
 * checkpoint: "OPTCKPT1", version, state slots; parts in any order (see {@link CheckpointTransfer}), end;
 *             length and JSON of {@link Meta}; CRC-32C of everything before
 * </pre>
 */
final class CheckpointFile {
    private static final long MAGIC = 0x4f5054434b505431L;
    private static final int VERSION = 1;
    /** The number of bytes before the first part. */
    static final int HEAD_BYTES = Long.BYTES + 2 * Integer.BYTES;

    private static final int LONGEST_META = 64 << 20;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final ObjectMapper JSON = new ObjectMapper();

    private CheckpointFile() {}

    /**
     * Describes a checkpoint, at its end.
     *
     * @param step the next step
     * @param floats the number of its parameters
     * @param losses the losses before {@code step}
     */
    record Meta(long step, int floats, @JsonProperty("ledger") StepLosses.State losses) {}

    /** Writes a checkpoint. Several threads may add parts. */
    static final class Writer {
        private final CheckedOutputStream checked;
        private final DataOutputStream out;
        private final int slots;

        Writer(OutputStream file, int slots) throws IOException {
            this.checked = new CheckedOutputStream(file, new CRC32C());
            this.out = new DataOutputStream(checked);
            this.slots = slots;
            out.writeLong(MAGIC);
            out.writeInt(VERSION);
            out.writeInt(slots);
        }

        synchronized void add(Part part) throws IOException {
            ByteBuffer bytes = CheckpointTransfer.buffer(slots);
            bytes.limit((1 + slots) * part.range().length() * Float.BYTES);
            bytes.asFloatBuffer().put(part.floats().duplicate());
            CheckpointTransfer.writePart(out, part.range(), bytes);
        }

        synchronized void finish(Meta meta) throws IOException {
            CheckpointTransfer.writeEnd(out);
            byte[] json = JSON.writeValueAsBytes(meta);
            out.writeInt(json.length);
            out.write(json);
            out.writeLong(checked.getChecksum().getValue());
            out.flush();
        }
    }

    /** Receives the number of state slots, before the parts are read. */
    @FunctionalInterface
    interface Begin {
        void slots(int slots) throws IOException;
    }

    /**
     * Reads a checkpoint.
     *
     * @throws IOException if it is damaged or of another version; some parts may have been passed on by then
     */
    static Meta read(InputStream file, Begin begin, Sink sink) throws IOException {
        CheckedInputStream checked = new CheckedInputStream(new BufferedInputStream(file, BUFFER_BYTES), new CRC32C());
        DataInputStream in = new DataInputStream(checked);
        if (in.readLong() != MAGIC || in.readInt() != VERSION) {
            throw new IOException("not a checkpoint of version " + VERSION);
        }
        int slots = in.readInt();
        begin.slots(slots);
        CheckpointTransfer.readParts(in, slots, sink);
        int length = in.readInt();
        if (length < 2 || length > LONGEST_META) {
            throw new IOException("damaged: description of " + length + " bytes");
        }
        byte[] json = in.readNBytes(length);
        long sum = checked.getChecksum().getValue();
        if (in.readLong() != sum) {
            throw new IOException("damaged: checksum differs");
        }
        return JSON.readValue(json, Meta.class);
    }
}
