package io.optimus.model;

/**
 * A long computation ends because its thread was interrupted: its time is over, and nobody waits for its result any more.
 * The thread stays interrupted.
 */
public final class InterruptedComputationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private InterruptedComputationException() {
        super("the computation was interrupted, because its time is over");
    }

    /**
     * Loops that may take long call this in each turn.
     *
     * @throws InterruptedComputationException if this thread was interrupted
     */
    public static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedComputationException();
        }
    }
}
