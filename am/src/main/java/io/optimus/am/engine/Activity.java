package io.optimus.am.engine;

/**
 * What a worker's engine does at a moment, from which follows whether it hangs.
 *
 * @param phase what it does
 * @param millis for how long it has done that; 0 while it waits
 */
public record Activity(Phase phase, long millis) {
    /** Nothing that others could wait for. */
    public static final Activity WAITING = new Activity(Phase.WAITING, 0);

    /** What an engine does. */
    public enum Phase {
        /** It waits for other tasks. */
        WAITING,
        /** It computes its part of a step. */
        STEPPING,
        /**
         * A program of the job's owner is between two epochs, where it may evaluate; or in its first step, where it may
         * compile its model. Both may take much longer than a step.
         */
        BETWEEN_EPOCHS
    }
}
