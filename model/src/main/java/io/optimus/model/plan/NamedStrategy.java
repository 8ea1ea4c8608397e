package io.optimus.model.plan;

import java.util.function.LongFunction;

/**
 * A strategy by the name that selects it in the ResourceManager's configuration and on the simulator's command line.
 *
 * @param name in configuration and reports, such as {@code optimus}
 * @param summary what it does, in half a line
 * @param knowledge the knowledge of jobs that it needs
 * @param batch whether jobs may adapt their batch under it
 * @param bySeed creates it from the seed of its random numbers
 */
public record NamedStrategy(
        String name, String summary, KnowledgeSource knowledge, Batch batch, LongFunction<Strategy> bySeed) {
    /** The knowledge of jobs that a strategy needs. */
    public enum KnowledgeSource {
        /** What can be learned from the reports of jobs while they run. */
        LEARNED,
        /** The true speed and end of jobs. Only simulations can use it, for comparison; no ResourceManager knows them. */
        EXACT
    }

    /** Whether jobs adapt their batch size, if they can. */
    public enum Batch {
        /** It stays as the owner chose it. */
        FIXED,
        /** It changes with the size of the job. */
        ADAPTIVE
    }
}
