package io.optimus.am.yaml;

import org.jspecify.annotations.Nullable;

/** Reads on after a wrong value, so that one exception carries all of them: the later ones as suppressed. */
final class InvalidValues {
    private @Nullable InvalidValueException first;

    /** Reads a value. */
    interface Reading {
        void read() throws InvalidValueException;
    }

    void collect(Reading reading) {
        try {
            reading.read();
        } catch (InvalidValueException wrong) {
            if (first == null) {
                first = wrong;
            } else {
                first.addSuppressed(wrong);
            }
        }
    }

    void throwAny() throws InvalidValueException {
        if (first != null) {
            throw first;
        }
    }
}
