package io.optimus.am.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of the flat parameter vector.
 *
 * @param offset the first float, 0 or more
 * @param length the number of floats, 1 or more
 */
public record Range(int offset, int length) implements Comparable<Range> {
    /** Throws if the range is empty or negative. */
    public Range {
        if (offset < 0 || length < 1 || offset > Integer.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "A range needs offset >= 0 and length >= 1, got offset=" + offset + " length=" + length);
        }
    }

    /** The first float after the range. */
    public int end() {
        return offset + length;
    }

    /** Whether the range contains all of {@code other}. */
    public boolean contains(Range other) {
        return offset <= other.offset && other.end() <= end();
    }

    /** Returns this range in ascending parts of at most {@code most} floats. */
    public List<Range> parts(int most) {
        List<Range> parts = new ArrayList<>();
        for (int from = offset; from < end(); from += Math.min(most, end() - from)) {
            parts.add(new Range(from, Math.min(most, end() - from)));
        }
        return parts;
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
