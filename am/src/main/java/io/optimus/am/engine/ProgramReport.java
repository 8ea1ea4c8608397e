package io.optimus.am.engine;

import java.util.Map;

/**
 * Figures that an owner's program reports, such as the accuracy on held-out samples.
 *
 * @param step the number of steps done
 * @param epoch the epoch that the program counts, from 0
 * @param values finite numbers by name
 */
public record ProgramReport(long step, int epoch, Map<String, Double> values) {
    public ProgramReport {
        values = Map.copyOf(values);
    }
}
