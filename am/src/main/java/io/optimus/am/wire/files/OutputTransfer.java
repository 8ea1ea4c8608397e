package io.optimus.am.wire.files;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The format in which a worker sends the files that its program left to the coordinator, on a connection for checkpoints:
 *
 * <pre>
 * worker → 'O', files…, end;   coordinator → 1 when it has them all; 2 if its store failed: send them again; 3: give up
 * file = name, length, then so many bytes; end = the empty name
 * </pre>
 */
public final class OutputTransfer {
    /** The first byte of a transfer. */
    public static final byte PURPOSE = 'O';

    /** The coordinator's store has failed for too long. */
    public static final byte GIVE_UP = 3;

    private static final int BUFFER_BYTES = 1 << 16;

    /** The job itself writes these into its output folder. */
    private static final List<String> TAKEN = List.of("model.bin", "job.yaml", "result.json");

    /** Names that every file system can hold. Those of hidden files begin with a dot. */
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_=+@-][A-Za-z0-9._=+@ -]*");

    private OutputTransfer() {}

    /** Whether a file may have this name, whose parts are separated by slashes. */
    public static boolean isAllowed(String name) {
        return !TAKEN.contains(name)
                && !name.isEmpty()
                && List.of(name.split("/", -1)).stream()
                        .allMatch(part -> PART.matcher(part).matches() && !part.startsWith("_writing."));
    }

    /** Receives one file. */
    @FunctionalInterface
    public interface Receiver {
        /** Receives the content of the file {@code name} by copying it to a stream of its own. */
        void receive(String name, Content content) throws IOException;
    }

    /** The bytes of a file that arrive. */
    @FunctionalInterface
    public interface Content {
        void copyTo(OutputStream out) throws IOException;
    }

    /** Writes one file. */
    static void write(DataOutputStream out, String name, long length, InputStream file) throws IOException {
        out.writeUTF(name);
        out.writeLong(length);
        copy(file, length, out);
    }

    /** Writes the mark that no file follows. */
    static void writeEnd(DataOutputStream out) throws IOException {
        out.writeUTF("");
        out.flush();
    }

    /** Reads files up to the end. */
    public static void read(DataInputStream in, Receiver receiver) throws IOException {
        for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
            if (!isAllowed(name)) {
                throw new IOException("A worker sent a file of the name '" + name + "', which is not allowed");
            }
            long length = in.readLong();
            receiver.receive(name, out -> copy(in, length, out));
        }
    }

    private static void copy(InputStream from, long length, OutputStream to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long left = length; left > 0; ) {
            int count = from.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                throw new EOFException("A file ended " + left + " bytes before its length, " + length);
            }
            to.write(buffer, 0, count);
            left -= count;
        }
    }
}
