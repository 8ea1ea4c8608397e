package io.optimus.sim.knowledge;

import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;

/**
 * The knowledge of a run's scheduler, and whether jobs may adapt their batches.
 *
 * @param knowledge whether the scheduler learns from reports or knows the truth
 * @param batch whether jobs that can adapt their batch size may do so
 * @param remaining the source from which a scheduler that learns takes the remaining steps
 * @param speedError relative error of known speeds, 0 or more and below 1. Example: with 0.2, a random half of the jobs is
 *     believed to be 20 % faster than it is, the other half 20 % slower
 * @param remainingError relative error of known remaining steps, applied in the same way
 */
public record RunOptions(
        KnowledgeSource knowledge, Batch batch, RemainingSource remaining, double speedError, double remainingError) {
    /** Throws if an error is not from 0 to below 1. */
    public RunOptions {
        if (!(speedError >= 0 && speedError < 1 && remainingError >= 0 && remainingError < 1)) {
            throw new IllegalArgumentException("Relative errors must be from 0 to below 1, got speed " + speedError
                    + " and remaining steps " + remainingError);
        }
    }

    public static RunOptions of(KnowledgeSource knowledge, Batch batch) {
        return new RunOptions(knowledge, batch, new RemainingSource.Declared(0), 0, 0);
    }
}
