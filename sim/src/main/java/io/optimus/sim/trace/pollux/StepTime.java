package io.optimus.sim.trace.pollux;

/**
 * What a step takes.
 *
 * @param seconds from one all-reduce to the next, above 0
 * @param synchronizationSeconds the part of it that the all-reduce adds, 0 or more and less than {@code seconds}
 */
record StepTime(double seconds, double synchronizationSeconds) {
    /** A step that only adds to the gradient, seconds. */
    double accumulatedSeconds() {
        return seconds - synchronizationSeconds;
    }

    /** From one update of the parameters to the next, with so many accumulated steps before, seconds. */
    double updateSeconds(int accumulatedSteps) {
        return seconds + accumulatedSteps * accumulatedSeconds();
    }
}
