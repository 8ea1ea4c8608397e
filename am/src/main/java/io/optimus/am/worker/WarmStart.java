package io.optimus.am.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WrappedEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An engine whose initial parameters are those of a {@code model.bin} that an earlier job has saved. All parameters and
 * statistics must agree by name and shape. The state of the earlier job's program, such as its schedule, is left out.
 */
final class WarmStart extends WrappedEngine {
    /** A longer first line is not one of a model. */
    private static final int LONGEST_HEADER = 64 << 20;
    /** So many differences are named; the others are counted. */
    private static final int NAMED = 8;

    private static final int COPIED_BYTES = 1 << 20;

    private final Path model;
    /** Where each block's floats begin in the file, in bytes. */
    private final Map<String, Long> positions = new TreeMap<>();

    private record Saved(String name, List<Integer> shape, boolean state) {
        int floats() {
            return shape.stream().reduce(1, Math::multiplyExact);
        }

        @Override
        public String toString() {
            return name + shape;
        }
    }

    /**
     * Wraps an engine.
     *
     * @throws IOException if {@code model} cannot be read, or is not one of the engine's model; names the differences
     */
    WarmStart(TrainingEngine wrapped, Path model) throws IOException {
        super(wrapped);
        this.model = model;
        try (FileChannel file = FileChannel.open(model)) {
            byte[] header = header(file);
            List<Saved> saved = blocks(header);
            checkSame(saved, wrapped.blocks());
            long position = header.length + 1L;
            for (Saved block : saved) {
                positions.put(block.name, position);
                position += (long) block.floats() * Float.BYTES;
            }
            if (file.size() != position) {
                throw new IOException("start.model is damaged: it has " + file.size() + " bytes instead of " + position
                        + "; copy it again");
            }
        }
    }

    /** Reads up to the end of the first line. */
    private static byte[] header(FileChannel file) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(LONGEST_HEADER, file.size()));
        int end = 0;
        while (start.hasRemaining()) {
            start.limit(Math.min(start.capacity(), start.position() + COPIED_BYTES));
            if (file.read(start) < 0) {
                break;
            }
            for (; end < start.position(); end++) {
                if (start.get(end) == '\n') {
                    byte[] line = new byte[end];
                    start.get(0, line);
                    return line;
                }
            }
            start.limit(start.capacity());
        }
        throw noModel();
    }

    private static IOException noModel() {
        return new IOException("start.model is no model of Optimus: name the model.bin in the output folder of a job");
    }

    private static List<Saved> blocks(byte[] header) throws IOException {
        JsonNode json;
        try {
            json = new ObjectMapper().readTree(header);
        } catch (IOException malformed) {
            throw noModel();
        }
        if (!json.path("format").asText().equals("optimus-model")) {
            throw noModel();
        }
        List<Saved> blocks = new ArrayList<>();
        for (JsonNode block : json.path("blocks")) {
            List<Integer> shape = new ArrayList<>();
            block.path("shape").forEach(length -> shape.add(length.asInt()));
            boolean state = block.path("kind").asText().equals(Kind.STATE.name());
            blocks.add(new Saved(block.path("name").asText(), List.copyOf(shape), state));
        }
        return blocks;
    }

    private static void checkSame(List<Saved> saved, List<ParameterBlock> wanted) throws IOException {
        Map<String, Saved> byName =
                saved.stream().filter(block -> !block.state).collect(Collectors.toMap(Saved::name, block -> block));
        List<String> differences = new ArrayList<>();
        trained(wanted).forEach(block -> {
            Saved found = byName.remove(block.name());
            if (found == null) {
                differences.add(block.name() + block.shape() + " is only in the job's model");
            } else if (!found.shape.equals(block.shape())) {
                differences.add(block.name() + " is " + found.shape + " in start.model and " + block.shape()
                        + " in the job's model");
            }
        });
        byName.values().forEach(block -> differences.add(block + " is only in start.model"));
        if (!differences.isEmpty()) {
            int more = differences.size() - NAMED;
            throw new IOException("start.model is of another model: "
                    + String.join("; ", differences.subList(0, Math.min(NAMED, differences.size())))
                    + (more > 0 ? "; and " + more + " more" : "")
                    + ". Name a model.bin of the same model, or load what fits in your program");
        }
    }

    private static Stream<ParameterBlock> trained(List<ParameterBlock> blocks) {
        return blocks.stream().filter(block -> block.kind() != Kind.STATE);
    }

    /** Writes the saved parameters in place of the engine's own; its own state stays. */
    @Override
    public void initialise(long seed) {
        super.initialise(seed);
        FloatBuffer into = parameters().duplicate();
        try (FileChannel file = FileChannel.open(model)) {
            int offset = 0;
            for (ParameterBlock block : blocks()) {
                if (block.kind() != Kind.STATE) {
                    read(file, positions.getOrDefault(block.name(), 0L), into.slice(offset, block.floats()));
                }
                offset += block.floats();
            }
        } catch (IOException e) {
            throw new IllegalStateException("start.model cannot be read: " + e.getMessage(), e);
        }
    }

    private static void read(FileChannel file, long position, FloatBuffer into) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(COPIED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long at = position;
        while (into.hasRemaining()) {
            bytes.clear().limit((int) Math.min(COPIED_BYTES, (long) into.remaining() * Float.BYTES));
            while (bytes.hasRemaining()) {
                int count = file.read(bytes, at);
                if (count < 0) {
                    throw new IOException("it has become shorter");
                }
                at += count;
            }
            into.put(bytes.flip().asFloatBuffer());
        }
    }
}
