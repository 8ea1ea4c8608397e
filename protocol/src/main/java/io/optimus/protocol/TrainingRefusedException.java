package io.optimus.protocol;

import java.io.IOException;

/** The scheduler refused a call, and would refuse it again. The message names the problem and the remedy. */
public final class TrainingRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /** Why a call was refused. */
    public enum Reason {
        /** The caller is not the application's current attempt: a newer one runs. It must end itself. */
        NOT_CURRENT_ATTEMPT,
        /** The caller's AMRM token is missing, out of date or of another cluster. */
        TOKEN,
        /** The caller's protocol version is not understood. */
        VERSION,
        /** Values in the request are out of range; the message names all of them. */
        INVALID_REQUEST,
        /** What listens at the address does not serve training jobs. */
        NOT_SERVED
    }

    private final Reason reason;

    public TrainingRefusedException(Reason reason, String message) {
        super(reason + ": " + message);
        this.reason = reason;
    }

    /** Called by Hadoop RPC on the caller's side, with the message that the other constructor made. */
    public TrainingRefusedException(String reasonAndMessage) {
        super(reasonAndMessage);
        this.reason = reasonOf(reasonAndMessage);
    }

    /** Why the call was refused. */
    public Reason reason() {
        return reason;
    }

    private static Reason reasonOf(String message) {
        for (Reason candidate : Reason.values()) {
            if (message.startsWith(candidate + ":")) {
                return candidate;
            }
        }
        return Reason.INVALID_REQUEST;
    }
}
