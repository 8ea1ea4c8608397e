package io.optimus.am.checkpoint;

import io.optimus.am.wire.MembershipNumber;
import java.util.Locale;

/**
 * Identifies a checkpoint. Servers of two memberships may save the same step, but never to the same checkpoint.
 *
 * @param step the next step
 * @param number the membership whose servers save it
 */
public record CheckpointKey(long step, MembershipNumber number) implements Comparable<CheckpointKey> {
    static final String PREFIX = "checkpoint-";

    /** Earlier steps first, then older memberships. */
    @Override
    public int compareTo(CheckpointKey other) {
        return step != other.step ? Long.compare(step, other.step) : number.compareTo(other.number);
    }

    /** The name of its file; names sort as keys do. */
    String name() {
        return String.format(Locale.ROOT, "%s%012d-%04d.%06d", PREFIX, step, number.attempt(), number.number());
    }
}
