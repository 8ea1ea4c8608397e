package io.optimus.am.engine.program;

/** An owner's program failed. The message tells its owner why, and ends with the program's last output. */
public final class ProgramFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean outOfMemory;

    ProgramFailedException(String diagnosis) {
        this(diagnosis, false);
    }

    ProgramFailedException(String diagnosis, boolean outOfMemory) {
        super(diagnosis);
        this.outOfMemory = outOfMemory;
    }

    /** Whether Linux ended the program because memory ran out. */
    public boolean isOutOfMemory() {
        return outOfMemory;
    }

    /** The diagnosis alone, since it is what the owner reads. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }
}
