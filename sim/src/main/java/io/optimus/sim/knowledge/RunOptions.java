package io.optimus.sim.knowledge;

import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.Foresight;

/**
 * On what terms jobs are scheduled in a run.
 *
 * @param foresight whether the scheduler learns about the jobs or is told the truth
 * @param batch whether jobs that can adapt their batch size may do so
 * @param remaining from what it learns how much of a job remains
 * @param speedError relative error of told speeds, such as 0.2: a drawn half of the jobs is believed 20 % faster, the
 *     others 20 % slower than they are; 0 or more, below 1
 * @param remainingError relative error of told remaining steps, in the same way
 */
public record RunOptions(
        Foresight foresight, Batch batch, RemainingSource remaining, double speedError, double remainingError) {
    /** Refuses errors that are not. */
    public RunOptions {
        if (!(speedError >= 0 && speedError < 1 && remainingError >= 0 && remainingError < 1)) {
            throw new IllegalArgumentException("Relative errors are from 0 to below 1, got speed " + speedError
                    + " and remaining steps " + remainingError);
        }
    }

    /** Without any error put in. */
    public static RunOptions of(Foresight foresight, Batch batch) {
        return new RunOptions(foresight, batch, new RemainingSource.Declared(0), 0, 0);
    }
}
