package io.optimus.am.checkpoint;

import java.io.IOException;

/** What was read is not what was written, so that reading it again does not help. */
final class DamagedException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedException(String message) {
        super(message);
    }
}
