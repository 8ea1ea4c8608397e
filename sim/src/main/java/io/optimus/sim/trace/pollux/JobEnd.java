package io.optimus.sim.trace.pollux;

import io.optimus.model.belief.RemainingBelief;
import io.optimus.sim.knowledge.RemainingSource;
import java.util.Random;

/** Where a job ends, as a scheduler that learns sees it. */
interface JobEnd {
    /** What remains until then. */
    RemainingBelief remaining();

    /**
     * Of one job.
     *
     * @param target loss at which its owner is content
     * @param seed of what is drawn
     */
    static JobEnd of(
            RemainingSource remaining, PolluxTraining training, SelfObservation self, double target, long seed) {
        if (remaining instanceof RemainingSource.Declared declared) {
            double factor = Math.exp(declared.sigma() * new Random(seed).nextGaussian());
            return () -> RemainingBelief.certain(factor * training.remainingSteps());
        }
        return remaining instanceof RemainingSource.FromCurve
                ? new PredictedEnd(training, self, target)
                : () -> RemainingBelief.UNKNOWN;
    }
}
