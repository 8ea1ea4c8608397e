package io.optimus.am.wire.files;

import io.optimus.am.wire.Range;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a task finds parts of a checkpoint, so that it can read them itself.
 *
 * @param addresses of one file, the ways to it: {@code file}, or {@code http} of a WebHDFS. Empty: the task cannot read it
 * @param slots the state slots of each part
 * @param parts in the order of the file
 */
public record StoredParts(List<URI> addresses, int slots, List<StoredPart> parts) {
    /** The task cannot read the checkpoint. */
    public static final StoredParts NONE = new StoredParts(List.of(), 0, List.of());

    public StoredParts {
        addresses = List.copyOf(addresses);
        parts = List.copyOf(parts);
    }

    /** Writes the answer to a task that asked where parts are. */
    public void write(DataOutputStream out) throws IOException {
        out.writeInt(addresses.size());
        for (URI address : addresses) {
            out.writeUTF(address.toASCIIString());
        }
        out.writeInt(slots);
        out.writeInt(parts.size());
        for (StoredPart part : parts) {
            out.writeInt(part.range().offset());
            out.writeInt(part.range().length());
            out.writeLong(part.position());
            out.writeInt(part.checksum());
        }
        out.flush();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if it is something else
     */
    static StoredParts read(DataInputStream in) throws IOException {
        try {
            List<URI> addresses = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                addresses.add(URI.create(in.readUTF()));
            }
            int slots = in.readInt();
            if (slots < 0 || slots > CheckpointTransfer.MOST_SLOTS) {
                throw new IOException("Not a checkpoint: " + slots + " state slots");
            }
            List<StoredPart> parts = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                Range range = new Range(in.readInt(), in.readInt());
                if (range.length() > CheckpointTransfer.PART_FLOATS) {
                    throw new IOException("Not a part of a checkpoint: " + range);
                }
                parts.add(new StoredPart(range, in.readLong(), in.readInt()));
            }
            return new StoredParts(addresses, slots, parts);
        } catch (IllegalArgumentException e) {
            throw new IOException("Not the parts of a checkpoint: " + e.getMessage(), e);
        }
    }
}
