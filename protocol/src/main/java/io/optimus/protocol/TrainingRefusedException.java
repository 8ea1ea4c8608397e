package io.optimus.protocol;

import java.io.IOException;

/** The scheduler refused a call. The message names the problem and the remedy. */
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
        NOT_SERVED,
        /** The caller calls too often. The same call is admitted a moment later. */
        TOO_OFTEN
    }

    private static final int LONGEST_MESSAGE = 2000;

    private final Reason reason;

    /**
     * Refuses a call.
     *
     * @param message the problem and the remedy. Control characters become spaces and a long message is cut, because it may
     *     hold what the caller sent, and Hadoop may log it
     */
    public TrainingRefusedException(Reason reason, String message) {
        super(reason + ": " + OneLine.of(message, LONGEST_MESSAGE));
        this.reason = reason;
    }

    /**
     * Called by Hadoop RPC on the caller's side, with the message that the other constructor made, which is one line, and the
     * stack of the scheduler's thread, which is left out.
     */
    public TrainingRefusedException(String reasonAndMessage) {
        super(reasonAndMessage.lines().findFirst().orElse(""));
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
