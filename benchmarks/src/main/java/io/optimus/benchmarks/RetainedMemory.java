package io.optimus.benchmarks;

import java.lang.ref.Reference;
import java.util.function.Supplier;

/** How much memory something holds as long as somebody holds it. */
final class RetainedMemory {
    /** After so many collections, nothing is left that could be collected. */
    private static final int COLLECTIONS = 4;

    private RetainedMemory() {}

    /** Bytes of the heap that what {@code made} makes keeps in use; nothing else may run meanwhile. */
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
