package io.optimus.sim.trace.pollux;

/**
 * The time of a step.
 *
 * @param seconds from one all-reduce to the next, above 0
 * @param synchronizationSeconds time that the all-reduce adds, 0 or more and less than {@code seconds}
 */
record StepTime(double seconds, double synchronizationSeconds) {
    /** Returns the seconds of a step that only adds to the gradient. */
    double accumulatedSeconds() {
        return seconds - synchronizationSeconds;
    }

    /** Returns the seconds from one update of the parameters to the next, with {@code accumulatedSteps} before it. */
    double updateSeconds(int accumulatedSteps) {
        return seconds + accumulatedSteps * accumulatedSeconds();
    }
}
