package io.optimus.am.engine;

import java.util.List;
import java.util.Map;

/**
 * What an owner's program reports: figures such as the accuracy on held-out samples, or when its learning rate falls.
 *
 * @param step the number of steps done
 * @param epoch the epoch that the program counts, from 0
 * @param values finite numbers by name
 * @param bends all epochs at which the learning rate falls by half or more, as far as the program knows; empty: nothing new
 */
public record ProgramReport(long step, int epoch, Map<String, Double> values, List<Double> bends) {
    public ProgramReport {
        values = Map.copyOf(values);
        bends = List.copyOf(bends);
    }

    /** A report of figures. */
    public ProgramReport(long step, int epoch, Map<String, Double> values) {
        this(step, epoch, values, List.of());
    }
}
