package io.optimus.model.decision;

import io.optimus.model.Allocation;

/**
 * Whether it is among the jobs that are worth most together, each on the size that would be best for it alone.
 *
 * @param sizing what it gets
 * @param wished the size that would be best for it
 * @param seconds to its end on that, with what a resize costs; infinite where it does not step
 * @param utility of ending then
 */
public record UtilityReason(SizeChange sizing, Allocation wished, double seconds, double utility)
        implements AllocationReason {
    @Override
    public String sentence() {
        String end = seconds == Double.POSITIVE_INFINITY ? "it never ends" : "it ends in " + Words.seconds(seconds);
        String worth = end + " (utility " + Words.number(utility) + ")";
        return sizing.to().equals(wished)
                ? sizing.words() + ": on no size it ends sooner, and it is among the jobs worth most together; " + worth
                : sizing.words() + ": others are worth more on what there is than it on " + wished + ", where " + worth;
    }
}
