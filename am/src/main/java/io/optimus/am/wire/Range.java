package io.optimus.am.wire;

/**
 * A stretch of the flat parameter vector.
 *
 * @param offset first float, 0 or more
 * @param length floats, 1 or more
 */
public record Range(int offset, int length) implements Comparable<Range> {
    /** Refuses empty and negative stretches. */
    public Range {
        if (offset < 0 || length < 1 || offset > Integer.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "A range wants offset >= 0 and length >= 1, got offset=" + offset + " length=" + length);
        }
    }

    /** First float after it. */
    public int end() {
        return offset + length;
    }

    /** Whether all of {@code other} is in it. */
    public boolean contains(Range other) {
        return offset <= other.offset && other.end() <= end();
    }

    /** By offset, then by length. */
    @Override
    public int compareTo(Range other) {
        return offset != other.offset ? Integer.compare(offset, other.offset) : Integer.compare(length, other.length);
    }

    /** {@code [64,96)}. */
    @Override
    public String toString() {
        return "[" + offset + "," + end() + ")";
    }
}
