package io.optimus.sim.engine;

import java.util.Random;

/** A separate seed for each random quantity, so that no draw depends on how often another quantity was drawn. */
public final class Seeds {
    /** The odd multiplier of SplitMix64: neighbouring seeds give unrelated ones. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private Seeds() {}

    /** The seed of {@code what} in a run with {@code seed}. */
    public static long of(long seed, String what) {
        long mixed = seed * SPREAD;
        for (int i = 0; i < what.length(); i++) {
            mixed = (mixed ^ what.charAt(i)) * SPREAD;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }

    /** A generator for {@code what} in a run with {@code seed}. */
    public static Random random(long seed, String what) {
        return new Random(of(seed, what));
    }
}
