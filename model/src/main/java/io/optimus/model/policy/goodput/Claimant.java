package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.GuaranteeReason;
import io.optimus.model.decision.SizeChange;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One job while a round divides: what it was given so far, and why. */
final class Claimant {
    private final JobSnapshot job;
    private final Footprint footprint;
    private final Allocation held;
    private final int heldNodes;
    private Allocation given = Allocation.NONE;
    private @Nullable AllocationReason reason;

    /**
     * Before anything was given.
     *
     * @param footprint of its tasks
     * @param nodes ids of those that are there
     */
    Claimant(JobSnapshot job, Footprint footprint, Set<String> nodes) {
        this.job = job;
        this.footprint = footprint;
        Placement alive = job.current().within(nodes::contains);
        Placement runs = job.minimum().isWithin(alive.allocation()) ? alive : Placement.NONE;
        this.held = runs.allocation();
        this.heldNodes = (int) runs.byNode().values().stream()
                .filter(tasks -> tasks.workers() > 0)
                .count();
    }

    JobSnapshot job() {
        return job;
    }

    Footprint footprint() {
        return footprint;
    }

    /** What it runs on, on nodes that are there; none where that is less than its minimum. */
    Allocation held() {
        return held;
    }

    /** On how many nodes its workers are. */
    int heldNodes() {
        return heldNodes;
    }

    boolean runs() {
        return !held.isNone();
    }

    Allocation given() {
        return given;
    }

    void give(Allocation allocation, AllocationReason why) {
        given = allocation;
        reason = why;
    }

    /** Whether it has what it has whatever that is worth. */
    boolean comesFirst() {
        return reason instanceof GuaranteeReason guaranteed
                && !(guaranteed.ground() instanceof GuaranteeReason.MeasuredFirst);
    }

    /** What it was guaranteed, of another size. */
    AllocationReason resized(Allocation size) {
        return new GuaranteeReason(sizing(size, OptionalDouble.empty()), new GuaranteeReason.MeasuredFirst());
    }

    /** Its way from what it trains on to {@code to}. */
    SizeChange sizing(Allocation to, OptionalDouble secondsSaved) {
        return new SizeChange(job.trainsOn(), to, job.minimum(), job.mayShrink(), secondsSaved);
    }

    Decided decided() {
        if (reason == null) {
            throw new IllegalStateException("No reason was given for " + job.id());
        }
        return new Decided(given, reason, reason instanceof AllocationReason.Explores);
    }
}
