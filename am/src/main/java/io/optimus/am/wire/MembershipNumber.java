package io.optimus.am.wire;

import java.util.Comparator;

/**
 * The number of a job's membership, fenced with the ApplicationMaster's attempt: every membership of a later attempt is
 * newer than all of an earlier one. Each push and pull carries the number. A receiver refuses requests that are older
 * than its own membership.
 *
 * @param attempt the ApplicationMaster's attempt, 1 or more
 * @param number the number within the attempt, 0 before the first membership
 */
public record MembershipNumber(int attempt, int number) implements Comparable<MembershipNumber> {
    private static final Comparator<MembershipNumber> ORDER =
            Comparator.comparingInt(MembershipNumber::attempt).thenComparingInt(MembershipNumber::number);

    /** Returns the next number of the same attempt. */
    public MembershipNumber next() {
        return new MembershipNumber(attempt, number + 1);
    }

    /** Whether this was superseded by {@code current}. */
    public boolean isOlderThan(MembershipNumber current) {
        return compareTo(current) < 0;
    }

    /** Older first. */
    @Override
    public int compareTo(MembershipNumber other) {
        return ORDER.compare(this, other);
    }

    /** {@code 1.7} is the seventh membership of the first attempt. */
    @Override
    public String toString() {
        return attempt + "." + number;
    }
}
