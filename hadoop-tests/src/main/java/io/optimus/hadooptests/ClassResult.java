package io.optimus.hadooptests;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One test class on both sides.
 *
 * @param testClass full name
 * @param stock the first run on CapacityScheduler
 * @param optimus the first run on OptimusScheduler
 * @param repeats the repeated runs of each test in {@link #redOnOptimusOnly}
 */
record ClassResult(String testClass, RunResult stock, RunResult optimus, List<Repeats> repeats) {
    ClassResult {
        repeats = List.copyOf(repeats);
    }

    /** Tests that are red on OptimusScheduler and not on CapacityScheduler, sorted. */
    static Set<String> redOnOptimusOnly(RunResult stock, RunResult optimus) {
        Set<String> tests = new TreeSet<>(stock.outcomes().keySet());
        tests.addAll(optimus.outcomes().keySet());
        tests.removeIf(test -> stock.isRed(test) || !optimus.isRed(test));
        return tests;
    }

    boolean hasRegression() {
        return repeats.stream().anyMatch(repeat -> repeat.verdict() == Repeats.Verdict.REGRESSION);
    }

    String simpleName() {
        return testClass.substring(testClass.lastIndexOf('.') + 1);
    }
}
