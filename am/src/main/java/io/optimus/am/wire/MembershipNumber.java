package io.optimus.am.wire;

import java.util.Comparator;

/**
 * Numbers the memberships of a job, fenced with the ApplicationMaster's attempt: a later attempt's first membership is
 * newer than every one of an earlier attempt. Every push and pull carries it; what is older than the receiver's is
 * refused.
 *
 * @param attempt of the ApplicationMaster, 1 or more
 * @param number within the attempt, 0 before the first membership
 */
public record MembershipNumber(int attempt, int number) implements Comparable<MembershipNumber> {
    private static final Comparator<MembershipNumber> ORDER =
            Comparator.comparingInt(MembershipNumber::attempt).thenComparingInt(MembershipNumber::number);

    /** The next one of the same attempt. */
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
