package io.optimus.hadooptests;

import java.util.Map;
import java.util.Optional;

/**
 * One run of a test class, or of some of its tests, in a JVM of its own.
 *
 * @param outcomes by name of the test; parameterised tests have the number of their parameters in the name
 * @param seconds wall time
 * @param problem why there are no outcomes, or fewer than there should be
 * @param madeOptimus whether an OptimusScheduler was made, be it as a mock
 */
record RunResult(Map<String, Outcome> outcomes, double seconds, Optional<String> problem, boolean madeOptimus) {
    RunResult {
        outcomes = Map.copyOf(outcomes);
    }

    long count(Outcome outcome) {
        return outcomes.values().stream().filter(outcome::equals).count();
    }

    /** Whether the test failed, or did not come to its end because the JVM did not. */
    boolean isRed(String test) {
        Outcome outcome = outcomes.get(test);
        return outcome == null ? problem.isPresent() : outcome.isRed();
    }
}
