package io.optimus.model.plan;

import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.placement.PlacementReason;
import java.util.function.Supplier;

/**
 * What a plan has in mind for one job.
 *
 * @param planned where its tasks shall be; none: it waits
 * @param why tells the reason in words: nobody reads most of them, so that they are made when somebody asks
 * @param exploring whether the size was chosen to learn the speed function
 */
public record Proposal(Placement planned, Supplier<String> why, boolean exploring) {
    /** With {@code reason} in words. */
    public Proposal(Placement planned, String reason, boolean exploring) {
        this(planned, () -> reason, exploring);
    }

    /** What was allocated, where it was placed. */
    static Proposal of(Decided decided, Placed placed) {
        return new Proposal(placed.placement(), () -> reason(decided, placed), decided.exploring());
    }

    /** Why, in words. */
    public String reason() {
        return why.get();
    }

    /** The same with one more reason. */
    Proposal because(String more) {
        return new Proposal(planned, () -> reason() + "; " + more, exploring);
    }

    /** Where a job waits, only one of both says why. */
    private static String reason(Decided decided, Placed placed) {
        if (placed.reason() instanceof PlacementReason.NothingToPlace) {
            return decided.reason().sentence();
        }
        String placement = placed.reason().sentence();
        return placed.reason() instanceof PlacementReason.Waits
                ? placement
                : decided.reason().sentence() + "; " + placement;
    }
}
