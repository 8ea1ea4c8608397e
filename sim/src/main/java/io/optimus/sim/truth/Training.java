package io.optimus.sim.truth;

import io.optimus.model.job.Placement;

/**
 * The true training of a job. A scheduler sees only what {@link io.optimus.sim.knowledge.Knowledge} shows of it.
 *
 * <p>Work is counted in steps, and for a job that adapts its batch in steps of the initial batch. The state changes only in
 * {@link #place}, {@link #slow} and {@link #run}.
 */
public interface Training {
    /** Places its tasks; without tasks it does not step. The caller takes care of the pause of a resize. */
    void place(Placement placement);

    /**
     * Slows the training down because a task straggles.
     *
     * @param part the part of its speed that it keeps, above 0 and at most 1; 1 means no straggler
     */
    void slow(double part);

    /** The true steps per second on its present tasks; 0 while it does not step. */
    double stepsPerSecond();

    /** The true steps to the end if its tasks stay, 0 or more. {@code TrueKnowledge} returns it; predictions are compared with it. */
    double remainingSteps();

    /** The seconds until its speed changes by itself or it ends, above 0; infinite while it does not step. */
    double secondsToNextChange();

    /**
     * Trains on.
     *
     * @param seconds 0 or more, at most {@link #secondsToNextChange()}; at exactly that, the change happens
     */
    void run(double seconds);

    /** Whether it has ended; no other method is called after that. */
    boolean ended();
}
