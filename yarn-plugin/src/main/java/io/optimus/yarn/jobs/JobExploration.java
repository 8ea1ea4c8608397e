package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The sizes that a job ran on in order to learn how fast they are: the steps that went into it, and which sizes gave
 * nothing.
 *
 * <p>Not safe for several threads.
 */
final class JobExploration {
    private final int mostSizes;
    private final SortedSet<Allocation> givenUp = new TreeSet<>();
    private Allocation size = Allocation.NONE;
    private long steps;

    /** No size yet; no more than {@code mostSizes} are given up. */
    JobExploration(int mostSizes) {
        this.mostSizes = mostSizes;
    }

    /** The job was planned to run on {@code planned}, to learn from it or not. */
    void planned(Allocation planned, boolean explores) {
        size = explores ? planned : Allocation.NONE;
    }

    /** The job did so many steps and runs on {@code running}; they count where it is the size to explore. */
    void stepped(Allocation running, long done) {
        if (!size.isNone() && running.equals(size)) {
            steps += Math.max(0, done);
        }
    }

    /** {@code without} gave no sample in time; whether that is new. */
    boolean giveUp(Allocation without) {
        return givenUp.size() < mostSizes && givenUp.add(without);
    }

    /** Sizes that are not explored again; a copy. */
    SortedSet<Allocation> givenUp() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(givenUp));
    }

    /** Steps that were run for exploring. */
    long steps() {
        return steps;
    }
}
