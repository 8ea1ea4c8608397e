package io.optimus.am.engine.program;

/** An owner's program failed. The message tells its owner why, and ends with the program's last output. */
public final class ProgramFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ProgramFailedException(String diagnosis) {
        super(diagnosis);
    }

    /** The diagnosis alone, since it is what the owner reads. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }
}
