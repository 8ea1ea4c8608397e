package io.optimus.model.plan;

import java.util.function.LongFunction;

/**
 * A strategy as it is offered: in the ResourceManager's configuration and on the simulator's command line.
 *
 * @param name in configuration and reports, such as {@code optimus}
 * @param summary what it does, in half a line
 * @param foresight what it has to know of jobs
 * @param batch what jobs may do while it schedules them
 * @param bySeed makes it; the seed is for what it draws, if anything
 */
public record NamedStrategy(
        String name, String summary, Foresight foresight, Batch batch, LongFunction<Strategy> bySeed) {
    /** What a strategy has to know of jobs. */
    public enum Foresight {
        /** What can be learnt while they run. */
        LEARNT,
        /** Their true speed and end: a ruler for simulations, nothing that a ResourceManager could offer. */
        TOLD
    }

    /** What becomes of the batch size of jobs that can adapt it. */
    public enum Batch {
        /** It stays as the owner chose it. */
        FIXED,
        /** It follows the size of the job. */
        ADAPTIVE
    }
}
