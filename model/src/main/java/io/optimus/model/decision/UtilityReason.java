package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;
import java.util.SortedMap;

/**
 * Tells whether the job is among those with the largest total utility, each on the size that is best for it alone.
 *
 * @param change what it gets
 * @param best the size that would be best for it
 * @param seconds to its end on that, with the cost of a resize; infinite if it does not step
 * @param utility of ending then
 */
public record UtilityReason(SizeChange change, Allocation best, double seconds, double utility)
        implements AllocationReason {
    @Override
    public String sentence() {
        return change.to().equals(best)
                ? change.words() + ": it would end no sooner on any other size within an equal share"
                : change.words() + ": it would end sooner on " + best
                        + ", but other jobs gain more from the same resources";
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(change.to().equals(best) ? ReasonKind.NO_GAIN : ReasonKind.OUTBID);
    }

    @Override
    public SortedMap<String, Double> figures() {
        return new Figures()
                .with("secondsToEndOnBestSize", seconds)
                .with("utility", utility)
                .all();
    }
}
