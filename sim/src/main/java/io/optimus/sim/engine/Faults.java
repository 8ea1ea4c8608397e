package io.optimus.sim.engine;

/**
 * What goes wrong, drawn with exponential times between.
 *
 * @param nodeFailureSeconds mean time between two failures of a node, above 0; infinite: none
 * @param nodeDownSeconds until a failed node is back, above 0
 * @param straggleSeconds mean time between two stragglers of a worker, above 0; infinite: none
 * @param straggleUntilSeconds until a straggler is replaced, above 0
 * @param straggleSpeed part of its speed that a job has meanwhile, above 0 and below 1
 */
public record Faults(
        double nodeFailureSeconds,
        double nodeDownSeconds,
        double straggleSeconds,
        double straggleUntilSeconds,
        double straggleSpeed) {
    /** Nothing goes wrong. */
    public static final Faults NONE = new Faults(Double.POSITIVE_INFINITY, 1, Double.POSITIVE_INFINITY, 1, 0.5);

    /** Refuses times and parts that are none. */
    public Faults {
        boolean times =
                nodeFailureSeconds > 0 && nodeDownSeconds > 0 && straggleSeconds > 0 && straggleUntilSeconds > 0;
        if (!times || !(straggleSpeed > 0 && straggleSpeed < 1)) {
            throw new IllegalArgumentException("Faults want times above 0 and a straggler's speed between 0 and 1, got "
                    + nodeFailureSeconds + ", " + nodeDownSeconds + ", " + straggleSeconds + ", " + straggleUntilSeconds
                    + " and " + straggleSpeed);
        }
    }
}
