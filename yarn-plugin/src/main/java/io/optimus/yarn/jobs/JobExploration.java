package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The exploration of a job: the steps that were run on sizes chosen to learn the speed function, and the sizes that gave no
 * sample.
 *
 * <p>Not thread-safe.
 */
final class JobExploration {
    private final int mostSizes;
    private final SortedSet<Allocation> givenUp = new TreeSet<>();
    private Allocation size = Allocation.NONE;
    private long steps;

    /** Starts with nothing explored; at most {@code mostSizes} sizes can be given up. */
    JobExploration(int mostSizes) {
        this.mostSizes = mostSizes;
    }

    /** Notes that the plan gives the job {@code planned}; {@code explores} says whether this is to learn its speed. */
    void planned(Allocation planned, boolean explores) {
        size = explores ? planned : Allocation.NONE;
    }

    /** Counts the steps that the job ran, if {@code running} is the size to explore. */
    void stepped(Allocation running, long done) {
        if (!size.isNone() && running.equals(size)) {
            steps += Math.max(0, done);
        }
    }

    /** Gives up {@code without}, a size without a sample in time; returns whether it was added now. */
    boolean giveUp(Allocation without) {
        return givenUp.size() < mostSizes && givenUp.add(without);
    }

    /** A copy of the sizes that are not explored again. */
    SortedSet<Allocation> givenUp() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(givenUp));
    }

    long steps() {
        return steps;
    }
}
