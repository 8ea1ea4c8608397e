package io.optimus.model.assignment;

/**
 * A part of one block on one server.
 *
 * @param block index of the block, from 0
 * @param offset first float, within the block, from 0
 * @param length floats, 1 or more
 * @param server id of the server that holds it
 */
public record Slice(int block, long offset, long length, int server) {
    /** Throws if the slice is empty or begins before its block. */
    public Slice {
        if (block < 0 || offset < 0 || length < 1) {
            throw new IllegalArgumentException("A slice needs block >= 0, offset >= 0 and length >= 1, got " + block
                    + ", " + offset + ", " + length);
        }
    }

    /** The first float after the slice, within the block. */
    long end() {
        return offset + length;
    }
}
