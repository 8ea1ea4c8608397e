package io.optimus.am.checkpoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.files.CheckpointTransfer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The format of models: one line of JSON with the names and lengths of the tensors, padded with spaces to 64 bytes; then
 * all their floats, little-endian, in that order. Only one part of the checkpoint is in memory while its model is written.
 */
final class ModelFile {
    private static final int VERSION = 1;
    private static final int BUFFER_BYTES = 1 << 16;
    /** With this alignment, programs can map the floats into memory. */
    private static final int ALIGNMENT = 64;

    private static final ObjectMapper JSON = new ObjectMapper();

    private ModelFile() {}

    /**
     * Writes the parameters of a checkpoint as a model.
     *
     * @throws IOException if the checkpoint is damaged or is not one of {@code blocks}
     */
    static void write(CheckpointStore store, String checkpoint, List<ParameterBlock> blocks, OutputStream file)
            throws IOException {
        int floats = blocks.stream().mapToInt(ParameterBlock::floats).sum();
        try (StoreInput in = new StoreInput(store, checkpoint)) {
            CheckpointFile.Reader saved = new CheckpointFile.Reader(in);
            if (saved.meta().floats() != floats) {
                throw new IOException("Checkpoint " + checkpoint + " holds "
                        + saved.meta().floats() + " floats, the model has " + floats);
            }
            OutputStream out = new BufferedOutputStream(file, BUFFER_BYTES);
            head(blocks, floats, out);
            saved.readInOrder((part, slots) -> write(part, out));
            out.flush();
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

    private static void write(CheckpointTransfer.Part part, OutputStream out) throws IOException {
        int length = part.range().length();
        byte[] parameters = new byte[length * Float.BYTES];
        ByteBuffer.wrap(parameters)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .put(0, part.floats(), 0, length);
        out.write(parameters);
    }
}
