package io.optimus.am.membership;

/**
 * The parameters that the servers of a membership hold in memory while no step is in flight.
 *
 * @param step the next step
 * @param workersUpToDate whether the workers that stay have the same parameters, so that they need not read them
 * @param partlyApplied whether some servers have applied {@code step} already. They take it back when the next
 *     membership is placed. Until then their shards are not the state before any step, and cannot be saved.
 */
record HeldParameters(long step, boolean workersUpToDate, boolean partlyApplied) {
    /** The servers and the workers have the parameters before {@code step}. */
    static HeldParameters before(long step) {
        return new HeldParameters(step, true, false);
    }
}
