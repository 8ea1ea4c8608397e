package io.optimus.sim.trace.pollux;

import io.optimus.sim.knowledge.Remaining;
import io.optimus.sim.knowledge.StepsLeft;
import java.util.Random;

/** Where a job ends, as a scheduler that learns sees it. */
interface End {
    /** What remains until then. */
    StepsLeft stepsLeft();

    /**
     * Of one job.
     *
     * @param target loss at which its owner is content
     * @param seed of what is drawn
     */
    static End of(Remaining remaining, PolluxTraining training, SelfObservation self, double target, long seed) {
        if (remaining instanceof Remaining.Declared declared) {
            double factor = Math.exp(declared.sigma() * new Random(seed).nextGaussian());
            return () -> StepsLeft.told(factor * training.remainingSteps());
        }
        return remaining instanceof Remaining.FromCurve
                ? new PredictedEnd(training, self, target)
                : () -> StepsLeft.UNKNOWN;
    }
}
