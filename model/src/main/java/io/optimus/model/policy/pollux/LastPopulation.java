package io.optimus.model.policy.pollux;

import java.util.List;

/**
 * The result of the last search, from which the next one begins.
 *
 * @param jobs ids, in the order of the rows
 * @param nodes ids, in the order of the columns
 * @param divisions the best of the last population, the chosen one first; not to be changed
 */
record LastPopulation(List<String> jobs, List<String> nodes, List<short[]> divisions) {
    LastPopulation {
        jobs = List.copyOf(jobs);
        nodes = List.copyOf(nodes);
        divisions = List.copyOf(divisions);
    }
}
