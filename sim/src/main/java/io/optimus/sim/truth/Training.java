package io.optimus.sim.truth;

import io.optimus.model.job.Placement;

/**
 * What a job really does. No scheduler sees it: what it may see goes through {@link io.optimus.sim.knowledge.Knowledge}.
 *
 * <p>Work is counted in the same unit as that knowledge: steps; of a job that adapts its batch, steps of the initial
 * batch. Between two calls of {@link #place}, {@link #slow} and {@link #run} nothing changes.
 */
public interface Training {
    /** Its tasks are here from now on; none: it stands still. The pause of a resize is not the job's business. */
    void place(Placement placement);

    /**
     * From now on it does this part of its speed: one of its tasks straggles.
     *
     * @param part above 0, at most 1: no task straggles
     */
    void slow(double part);

    /** True steps per second on its present tasks, 0 or more: 0 while it stands still. */
    double stepsPerSecond();

    /** True steps to the end, 0 or more, if it goes on as it is now: what oracles tell, and predictions are held against. */
    double remainingSteps();

    /** Seconds of running until its speed changes by itself or it ends, above 0; infinite while it stands still. */
    double secondsToNextChange();

    /**
     * Trains on.
     *
     * @param seconds 0 or more, at most {@link #secondsToNextChange()}; with exactly that, the change is done
     */
    void run(double seconds);

    /** Whether it has ended: nothing is called any more. */
    boolean ended();
}
