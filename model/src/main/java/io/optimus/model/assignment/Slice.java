package io.optimus.model.assignment;

/**
 * A stretch of one block on one server.
 *
 * @param block index of the block, from 0
 * @param offset first float, within the block, from 0
 * @param length floats, 1 or more
 * @param server id of the server that holds it
 */
public record Slice(int block, long offset, long length, int server) {
    /** Refuses an empty stretch. */
    public Slice {
        if (block < 0 || offset < 0 || length < 1) {
            throw new IllegalArgumentException("A slice wants block >= 0, offset >= 0 and length >= 1, got " + block
                    + ", " + offset + ", " + length);
        }
    }

    /** First float behind the slice, within the block. */
    long end() {
        return offset + length;
    }
}
