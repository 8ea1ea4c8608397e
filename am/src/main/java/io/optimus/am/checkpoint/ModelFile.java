package io.optimus.am.checkpoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.engine.ParameterBlock;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The format of models: one line of JSON with the names and lengths of the tensors, padded with spaces to 64 bytes; then
 * all their floats, little-endian, in that order.
 *
 * <p>A model is made from a checkpoint, whose parts are in any order, with only one part in memory. A first pass checks
 * the file and notes the position of each part. A second pass reads the parts in the order of the floats. Servers save
 * their parts in that order, so the second pass goes back only where a shard ends.
 */
final class ModelFile {
    private static final int VERSION = 1;
    private static final int BUFFER_BYTES = 1 << 16;
    /** With this alignment, programs can map the floats into memory. */
    private static final int ALIGNMENT = 64;
    /** The offset and the length of a part, in front of its floats. */
    private static final int PART_HEAD_BYTES = 2 * Integer.BYTES;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final CheckpointStore store;
    private final String checkpoint;
    private final TreeMap<Integer, FilePart> parts = new TreeMap<>();
    private long position = CheckpointFile.HEAD_BYTES;

    /** The position of a part's parameters in the checkpoint, in bytes, and their number. */
    private record FilePart(long position, int floats) {}

    private ModelFile(CheckpointStore store, String checkpoint) {
        this.store = store;
        this.checkpoint = checkpoint;
    }

    /**
     * Writes the parameters of a checkpoint as a model.
     *
     * @throws IOException if the checkpoint is damaged or does not hold each float of {@code blocks} once
     */
    static void write(CheckpointStore store, String checkpoint, List<ParameterBlock> blocks, OutputStream file)
            throws IOException {
        ModelFile model = new ModelFile(store, checkpoint);
        int floats = blocks.stream().mapToInt(ParameterBlock::floats).sum();
        model.find(floats);
        OutputStream out = new BufferedOutputStream(file, BUFFER_BYTES);
        head(blocks, floats, out);
        model.copy(out);
        out.flush();
    }

    private void find(int floats) throws IOException {
        try (InputStream in = store.open(checkpoint)) {
            CheckpointFile.read(in, slots -> {}, (part, slots) -> {
                int length = part.range().length();
                parts.put(part.range().offset(), new FilePart(position + PART_HEAD_BYTES, length));
                position += PART_HEAD_BYTES + (1L + slots) * length * Float.BYTES;
            });
        }
        int next = 0;
        for (Map.Entry<Integer, FilePart> entry : parts.entrySet()) {
            if (entry.getKey() != next) {
                throw new IOException("Checkpoint " + checkpoint + " does not hold float " + next + " once");
            }
            next += entry.getValue().floats();
        }
        if (next != floats) {
            throw new IOException("Checkpoint " + checkpoint + " holds " + next + " floats, the model has " + floats);
        }
    }

    private static void head(List<ParameterBlock> blocks, int floats, OutputStream out) throws IOException {
        Map<String, Object> header = new TreeMap<>();
        header.put("format", "optimus-model");
        header.put("version", VERSION);
        header.put("floats", floats);
        header.put("blocks", blocks);
        byte[] json = JSON.writeValueAsBytes(header);
        out.write(json);
        for (int i = json.length + 1; i % ALIGNMENT != 0; i++) {
            out.write(' ');
        }
        out.write('\n');
    }

    private void copy(OutputStream out) throws IOException {
        InputStream in = open();
        try {
            long at = 0;
            for (FilePart part : parts.values()) {
                if (part.position() < at) {
                    in.close();
                    in = open();
                    at = 0;
                }
                in.skipNBytes(part.position() - at);
                int bytes = part.floats() * Float.BYTES;
                byte[] parameters = in.readNBytes(bytes);
                if (parameters.length < bytes) {
                    throw new EOFException("Checkpoint " + checkpoint + " has become shorter");
                }
                out.write(parameters);
                at = part.position() + bytes;
            }
        } finally {
            in.close();
        }
    }

    private InputStream open() throws IOException {
        return new BufferedInputStream(store.open(checkpoint), BUFFER_BYTES);
    }
}
