package io.optimus.model.plan;

import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import io.optimus.model.placement.PlacementReason;
import java.util.function.Supplier;

/**
 * What a round plans for one job.
 *
 * @param planned where its tasks shall be, without tasks where it waits
 * @param why the reason; its text is made only when it is read, because most reasons never are
 * @param exploring whether the size was chosen to learn the speed function
 */
public record Proposal(Placement planned, Supplier<Explanation> why, boolean exploring) {
    /** A proposal with a reason that is known already. */
    public Proposal(Placement planned, String reason, boolean exploring) {
        this(planned, () -> Explanation.of(reason), exploring);
    }

    /** What a policy allocated and a placer placed. */
    static Proposal of(Decided decided, Placed placed) {
        return new Proposal(placed.placement(), () -> explanation(decided, placed), decided.exploring());
    }

    public Explanation explanation() {
        return why.get();
    }

    /** The reason for the owner of the job. */
    public String reason() {
        return explanation().sentence();
    }

    Proposal because(String more) {
        return new Proposal(planned, () -> explanation().and(more), exploring);
    }

    /** Where a job waits, either the policy or the placer says why. */
    private static Explanation explanation(Decided decided, Placed placed) {
        if (placed.reason() instanceof PlacementReason.NothingToPlace) {
            return new Explanation(decided.reason().sentence(), decided.reason().figures());
        }
        String placement = placed.reason().sentence();
        return placed.reason().waits()
                ? Explanation.of(placement)
                : new Explanation(
                        decided.reason().sentence() + "; " + placement,
                        decided.reason().figures());
    }
}
