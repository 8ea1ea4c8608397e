package io.optimus.hadooptests;

import java.util.Locale;

/**
 * A test that was red on OptimusScheduler and not on CapacityScheduler in the first run, and how it went when repeated.
 *
 * @param test its name
 * @param runs on each side, the first included
 * @param redOnStock in how many of them it was red
 * @param redOnOptimus likewise
 */
record Repeats(String test, int runs, int redOnStock, int redOnOptimus) {
    /** What the repeats say. */
    enum Verdict {
        /** Red again, and never on stock. */
        REGRESSION,
        /** Red on both, though not always. */
        UNSTABLE_ON_BOTH,
        /** Red in the first run only. */
        NOT_AGAIN
    }

    Verdict verdict() {
        if (redOnStock > 0) {
            return Verdict.UNSTABLE_ON_BOTH;
        }
        return redOnOptimus > 1 ? Verdict.REGRESSION : Verdict.NOT_AGAIN;
    }

    @Override
    public String toString() {
        return "%s: red in %d of %d runs, on stock in %d: %s"
                .formatted(
                        test,
                        redOnOptimus,
                        runs,
                        redOnStock,
                        verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
}
