package io.optimus.am.wire;

import io.optimus.am.wire.CheckpointTransfer.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A task's end of {@link CheckpointTransfer}. */
public final class CheckpointClient {
    private CheckpointClient() {}

    /** Writes the parameters and the state of one part. */
    @FunctionalInterface
    public interface Source {
        /** Puts (1 + slots) · length floats of {@code range}. */
        void write(Range range, FloatBuffer out);
    }

    /**
     * Saves {@code ranges} as a part of the checkpoint before {@code step}.
     *
     * @return false if the coordinator's store failed, of which the coordinator knows
     */
    public static boolean save(
            CoordinatorConnection link, MembershipNumber number, long step, int slots, Ranges ranges, Source source)
            throws IOException {
        byte reply = link.transfer((in, out) -> {
            out.writeByte('S');
            out.writeInt(number.attempt());
            out.writeInt(number.number());
            out.writeLong(step);
            out.writeInt(slots);
            ByteBuffer buffer = CheckpointTransfer.buffer(slots);
            for (Range range : ranges.list()) {
                for (Range part : range.parts(CheckpointTransfer.PART_FLOATS)) {
                    buffer.clear().limit((1 + slots) * part.length() * Float.BYTES);
                    source.write(part, buffer.asFloatBuffer());
                    CheckpointTransfer.writePart(out, part, buffer);
                }
            }
            CheckpointTransfer.writeEnd(out);
            return in.readByte();
        });
        if (reply != CheckpointTransfer.DONE && reply != CheckpointTransfer.STORE_FAILED) {
            throw new IOException("The coordinator answered a saved shard with " + reply);
        }
        return reply == CheckpointTransfer.DONE;
    }

    /** Loads the {@code wanted} ranges of a checkpoint, part by part. */
    public static void load(CoordinatorConnection link, String checkpoint, Ranges wanted, Sink sink)
            throws IOException {
        byte reply = link.transfer((in, out) -> {
            out.writeByte('L');
            out.writeUTF(checkpoint);
            CheckpointTransfer.writeRanges(out, wanted);
            out.flush();
            byte first = in.readByte();
            if (first == CheckpointTransfer.DONE) {
                CheckpointTransfer.readParts(in, in.readInt(), sink);
            }
            return first;
        });
        if (reply != CheckpointTransfer.DONE) {
            throw new IOException("The coordinator could not load the checkpoint; its log says why");
        }
    }
}
