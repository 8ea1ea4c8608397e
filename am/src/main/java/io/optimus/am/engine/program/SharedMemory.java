package io.optimus.am.engine.program;

import io.optimus.am.engine.program.ProgramMessage.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory that a worker shares with its program.
 *
 * @param parameters all parameters
 * @param gradient the gradients, and what else servers are sent; none where programs average among themselves
 */
record SharedMemory(ByteBuffer parameters, ByteBuffer gradient) {
    /** A Java buffer has at most 2³¹ − 1 bytes. */
    private static final long LARGEST = Integer.MAX_VALUE / Float.BYTES;

    /**
     * Maps the program's file.
     *
     * @param folder the folder that a relative path starts from
     * @param gradientFloats the length of the second vector, 0 or more
     * @throws IOException naming the value if it does not fit
     */
    static SharedMemory map(Memory memory, Path folder, long gradientFloats) throws IOException {
        if (memory.floats() < 1 || memory.floats() > LARGEST) {
            throw new IOException(
                    "The program's state has " + memory.floats() + " floats; a worker can hold 1 to " + LARGEST
                            + " of parameters and buffers, and of the optimizer's state where the program makes the update");
        }
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IOException("Programs are trained on little-endian machines only, and this one is not");
        }
        long bytes = memory.floats() * Float.BYTES;
        Path path = folder.resolve(memory.path());
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long gradientBytes = gradientFloats * Float.BYTES;
            if (file.size() != bytes + gradientBytes) {
                throw new IOException("The program's memory " + path + " has " + file.size() + " bytes; vectors of "
                        + memory.floats() + " and " + gradientFloats + " floats need " + (bytes + gradientBytes));
            }
            return new SharedMemory(map(file, 0, bytes), map(file, bytes, gradientBytes));
        } catch (FileSystemException e) {
            throw new IOException("The program's memory " + path + " cannot be opened: " + e, e);
        }
    }

    private static ByteBuffer map(FileChannel file, long from, long bytes) throws IOException {
        return file.map(MapMode.READ_WRITE, from, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
