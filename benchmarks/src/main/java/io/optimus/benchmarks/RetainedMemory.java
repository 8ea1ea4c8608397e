package io.optimus.benchmarks;

import java.lang.ref.Reference;
import java.util.function.Supplier;

/** Measures how much memory an object retains. */
final class RetainedMemory {
    /** After this many garbage collections, nothing collectable is left. */
    private static final int COLLECTIONS = 4;

    private RetainedMemory() {}

    /** Returns the heap bytes that the object made by {@code made} retains. Nothing else may run meanwhile. */
    static long bytes(Supplier<?> made) {
        long before = used();
        Object kept = made.get();
        try {
            return used() - before;
        } finally {
            Reference.reachabilityFence(kept);
        }
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
