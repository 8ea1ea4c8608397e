package io.optimus.model.plan;

import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.PlacementReason;
import io.optimus.model.decision.Reason;
import io.optimus.model.job.Placement;
import io.optimus.model.placement.PlacementDecision.Placed;
import java.util.function.Supplier;

/**
 * The plan of a round for one job.
 *
 * @param planned the planned placement, without tasks if it waits
 * @param why the reason; its text is made only when read, because most reasons never are
 * @param exploring whether the size was chosen to learn the speed function
 */
public record Proposal(Placement planned, Supplier<Explanation> why, boolean exploring) {
    /** A proposal with a reason that is known already. */
    public Proposal(Placement planned, Reason reason, boolean exploring) {
        this(planned, () -> Explanation.of(reason), exploring);
    }

    /** A proposal that nothing was decided on. */
    public static Proposal of(Placement planned) {
        return new Proposal(planned, () -> Explanation.NONE, false);
    }

    /** The proposal from the decisions of a policy and a placer. */
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

    /** The same with one more part of its reason. */
    public Proposal because(Reason more) {
        return new Proposal(planned, () -> explanation().and(more), exploring);
    }

    /** If a job waits, either the policy or the placer tells why. */
    private static Explanation explanation(Decided decided, Placed placed) {
        if (placed.reason() instanceof PlacementReason.NothingToPlace) {
            return Explanation.of(decided.reason());
        }
        return placed.reason().waits()
                ? Explanation.of(placed.reason())
                : Explanation.of(decided.reason(), placed.reason());
    }
}
