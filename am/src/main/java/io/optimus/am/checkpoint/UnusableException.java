package io.optimus.am.checkpoint;

import java.io.IOException;

/** Checkpoints are damaged or of another version, so that reading them again does not help. */
final class UnusableException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableException(String message) {
        super(message);
    }
}
