package io.optimus.yarn.whatif;

/** A question that is not answered now, though it may be later; the message says what to do. */
public final class UnansweredException extends Exception {
    private static final long serialVersionUID = 1;

    UnansweredException(String message) {
        super(message);
    }
}
