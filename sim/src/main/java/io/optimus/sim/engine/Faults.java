package io.optimus.sim.engine;

/**
 * The faults of a simulation. The times between them are drawn from exponential distributions.
 *
 * @param nodeFailureSeconds mean time between two failures of a node, above 0; infinite for none
 * @param nodeDownSeconds time until a failed node is back, above 0
 * @param straggleSeconds mean time after which a worker becomes a straggler, above 0; infinite for never
 * @param straggleUntilSeconds time until a straggler is replaced, above 0
 * @param straggleSpeed part of its speed that a job keeps while it has a straggler, above 0 and below 1
 */
public record Faults(
        double nodeFailureSeconds,
        double nodeDownSeconds,
        double straggleSeconds,
        double straggleUntilSeconds,
        double straggleSpeed) {
    public static final Faults NONE = new Faults(Double.POSITIVE_INFINITY, 1, Double.POSITIVE_INFINITY, 1, 0.5);

    /** Throws if a time is not above 0 or the speed of stragglers is not between 0 and 1. */
    public Faults {
        boolean times =
                nodeFailureSeconds > 0 && nodeDownSeconds > 0 && straggleSeconds > 0 && straggleUntilSeconds > 0;
        if (!times || !(straggleSpeed > 0 && straggleSpeed < 1)) {
            throw new IllegalArgumentException(
                    "Times of faults must be above 0 and the speed of stragglers between 0 and 1, got "
                            + nodeFailureSeconds + ", " + nodeDownSeconds + ", " + straggleSeconds + ", "
                            + straggleUntilSeconds
                            + " and " + straggleSpeed);
        }
    }
}
