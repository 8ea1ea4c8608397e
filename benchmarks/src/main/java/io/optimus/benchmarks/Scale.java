package io.optimus.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The size of a round.
 *
 * @param jobs the number of jobs
 * @param nodes the number of nodes, of 8 GPUs each
 */
record Scale(int jobs, int nodes) {
    /**
     * Pairs each number of jobs with the most nodes, each number of nodes with the most jobs, and both smallest
     * numbers.
     */
    static List<Scale> of(List<Integer> jobs, List<Integer> nodes) {
        List<Integer> jobsUp = jobs.stream().sorted().toList();
        List<Integer> nodesUp = nodes.stream().sorted().toList();
        Set<Scale> scales = new LinkedHashSet<>();
        scales.add(new Scale(jobsUp.get(0), nodesUp.get(0)));
        jobsUp.forEach(count -> scales.add(new Scale(count, nodesUp.get(nodesUp.size() - 1))));
        nodesUp.forEach(count -> scales.add(new Scale(jobsUp.get(jobsUp.size() - 1), count)));
        return new ArrayList<>(scales);
    }

    String inWords() {
        return String.format(Locale.ROOT, "%,d jobs on %,d nodes", jobs, nodes);
    }
}
