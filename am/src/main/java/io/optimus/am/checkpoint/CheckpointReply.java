package io.optimus.am.checkpoint;

import io.optimus.am.wire.CheckpointTransfer;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Hands a checkpoint out to one task, and keeps a file that cannot be read apart from a task that is gone. */
final class CheckpointReply {
    private CheckpointReply() {}

    /** The task, not the file, is at fault. */
    static final class BrokenOff extends IOException {
        private static final long serialVersionUID = 1;

        BrokenOff(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    private interface Sending {
        void run() throws IOException;
    }

    /**
     * Gives all of it.
     *
     * @throws BrokenOff if the task does not take it; any other exception is the file's
     */
    static void give(InputStream file, DataOutputStream out) throws IOException {
        CheckpointFile.read(
                file,
                slots -> sending(() -> {
                    out.writeByte(1);
                    out.writeInt(slots);
                }),
                (part, slots) -> sending(() -> write(part, slots, out)));
        sending(() -> CheckpointTransfer.writeEnd(out));
    }

    private static void write(CheckpointTransfer.Part part, int slots, DataOutputStream out) throws IOException {
        var bytes = CheckpointTransfer.buffer(slots);
        bytes.limit((1 + slots) * part.range().length() * Float.BYTES);
        bytes.asFloatBuffer().put(part.floats());
        CheckpointTransfer.writePart(out, part.range(), bytes);
    }

    private static void sending(Sending step) throws BrokenOff {
        try {
            step.run();
        } catch (IOException e) {
            throw new BrokenOff(e);
        }
    }
}
