package io.optimus.am.job;

import org.jspecify.annotations.Nullable;

/** Reads on after a wrong value, so that one exception carries all of them: the later ones as suppressed. */
final class AllWrong {
    private @Nullable WrongValueException first;

    /** Reads a value. */
    interface Reading {
        void read() throws WrongValueException;
    }

    void collect(Reading reading) {
        try {
            reading.read();
        } catch (WrongValueException wrong) {
            if (first == null) {
                first = wrong;
            } else {
                first.addSuppressed(wrong);
            }
        }
    }

    void throwAny() throws WrongValueException {
        if (first != null) {
            throw first;
        }
    }
}
