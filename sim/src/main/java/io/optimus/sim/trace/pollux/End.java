package io.optimus.sim.trace.pollux;

import io.optimus.sim.knowledge.Remaining;
import java.util.OptionalDouble;
import java.util.Random;

/** Where a job ends, as a scheduler that learns sees it. */
interface End {
    /** Steps that remain, 0 or more; empty while nothing is known. */
    OptionalDouble remainingSteps();

    /** How far those of the last call are believed, from 0 to 1. */
    default double remainingTrust() {
        return 1;
    }

    /**
     * Of one job.
     *
     * @param target loss at which its owner is content
     * @param seed of what is drawn
     */
    static End of(Remaining remaining, PolluxTraining training, SelfObservation self, double target, long seed) {
        if (remaining instanceof Remaining.Declared declared) {
            double factor = Math.exp(declared.sigma() * new Random(seed).nextGaussian());
            return () -> OptionalDouble.of(factor * training.remainingSteps());
        }
        return remaining instanceof Remaining.FromCurve
                ? new PredictedEnd(training, self, target)
                : OptionalDouble::empty;
    }
}
