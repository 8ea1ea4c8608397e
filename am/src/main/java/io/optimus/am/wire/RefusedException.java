package io.optimus.am.wire;

import java.io.IOException;

/** The other end of a connection does not belong to this job, or says that this one does not. Calling again does not help. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
        super(message);
    }
}
