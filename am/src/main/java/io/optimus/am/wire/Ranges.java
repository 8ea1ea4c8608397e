package io.optimus.am.wire;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A set of floats of the flat parameter vector, as ranges that ascend and do not overlap or touch. A server keeps its
 * parameters in a local vector, range after range.
 *
 * <p>Example: {@code {[0,4), [10,12)}} has 6 floats; float 11 of the flat vector is float 5 of the local one.
 *
 * @param list the ranges
 */
public record Ranges(List<Range> list) {
    public static final Ranges NONE = new Ranges(List.of());

    /** Copies; throws if the ranges are not in order. */
    public Ranges {
        list = List.copyOf(list);
        for (int i = 1; i < list.size(); i++) {
            if (list.get(i - 1).end() >= list.get(i).offset()) {
                throw new IllegalArgumentException("Ranges must ascend with gaps between them: " + list);
            }
        }
    }

    /** Returns the set of these ranges, which may be in any order. Ranges that touch are joined. */
    public static Ranges of(Collection<Range> ranges) {
        List<Range> joined = new ArrayList<>();
        for (Range range : ranges.stream().sorted().toList()) {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).end() == range.offset()) {
                joined.set(
                        last,
                        new Range(joined.get(last).offset(), joined.get(last).length() + range.length()));
            } else {
                joined.add(range);
            }
        }
        return new Ranges(joined);
    }

    /** The number of floats. */
    public int floats() {
        return list.stream().mapToInt(Range::length).sum();
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** Returns the floats that are in both sets. */
    public Ranges and(Ranges other) {
        List<Range> both = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < list.size() && j < other.list.size()) {
            Range a = list.get(i);
            Range b = other.list.get(j);
            int from = Math.max(a.offset(), b.offset());
            int to = Math.min(a.end(), b.end());
            if (from < to) {
                both.add(new Range(from, to - from));
            }
            if (a.end() < b.end()) {
                i++;
            } else {
                j++;
            }
        }
        return of(both);
    }

    /** Returns the {@code length} floats from position {@code from} of the local vector on, as far as there are so many. */
    public List<Range> part(int from, int length) {
        List<Range> part = new ArrayList<>();
        int before = 0;
        for (Range held : list) {
            int first = Math.max(0, from - before);
            int end = Math.min(held.length(), from + length - before);
            if (first < end) {
                part.add(new Range(held.offset() + first, end - first));
            }
            before += held.length();
        }
        return part;
    }

    /**
     * Returns the position of {@code range} in the local vector.
     *
     * @throws IllegalArgumentException if it is not within one of the ranges
     */
    public int localOffset(Range range) {
        int before = 0;
        for (Range held : list) {
            if (held.contains(range)) {
                return before + range.offset() - held.offset();
            }
            before += held.length();
        }
        throw new IllegalArgumentException(range + " is not among " + list);
    }
}
