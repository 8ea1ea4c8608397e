package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.AllocationReason.Explores;
import io.optimus.model.decision.AllocationReason.NotKnown;
import io.optimus.model.decision.GrowthEnd;
import io.optimus.model.decision.Shortage;
import io.optimus.model.exploration.Exploration;
import io.optimus.model.job.JobSnapshot;
import java.util.Optional;
import java.util.OptionalDouble;

/** Gives jobs the sizes that their speed is learned on, of what is left after everybody grew. */
public final class ExplorationSizes {
    private final Division division;

    public ExplorationSizes(Division division) {
        this.division = division;
    }

    /** To a contender that does not wait. */
    public void giveSize(Participant contender) {
        JobSnapshot job = contender.job();
        if (job.speed().isEmpty()) {
            job.belief()
                    .exploration()
                    .ifPresentOrElse(
                            size -> explore(contender, within(size, job)),
                            () -> stay(contender, within(contender.held(), job)));
        } else {
            job.belief()
                    .exploration()
                    .map(size -> within(size, job))
                    .filter(size -> Exploration.isAffordable(job.speed().get(), size, contender.given()))
                    .ifPresent(size -> exploreWithinWhatItWon(contender, size));
        }
    }

    private void explore(Participant contender, Allocation size) {
        if (!contender.given().isWithin(size)) {
            contender.explain(notKnown(contender, new GrowthEnd.WouldExplore(size)));
            return;
        }
        contender.explain(division.raise(contender, size)
                .<AllocationReason>map(lack -> notKnown(contender, new GrowthEnd.NoRoomToExplore(size, lack)))
                .orElseGet(() -> new Explores(size)));
    }

    /** Nothing was measured, so there is nothing to explore: it runs where it is, as far as there is room. */
    private void stay(Participant contender, Allocation size) {
        Optional<Shortage> lack = division.raise(contender, size);
        GrowthEnd measured = contender.job().maximum().equals(contender.job().minimum())
                ? new GrowthEnd.AtMaximum()
                : new GrowthEnd.MeasuredFirst();
        GrowthEnd end = lack.<GrowthEnd>map(what -> new GrowthEnd.NoRoomToStay(size, what))
                .orElse(measured);
        contender.explain(notKnown(contender, end));
    }

    /** What it won by the speed that it has is its own to explore in; what it does not use stays free for its return. */
    private void exploreWithinWhatItWon(Participant contender, Allocation size) {
        Allocation won = contender.given();
        if (!contender.sure().isWithin(size)) {
            return;
        }
        division.set(contender, contender.sure());
        if (division.raise(contender, size).isEmpty()) {
            contender.explain(new Explores(size));
        } else {
            division.set(contender, won);
        }
    }

    private static NotKnown notKnown(Participant contender, GrowthEnd end) {
        return new NotKnown(contender.sizing(OptionalDouble.empty()), end);
    }

    private static Allocation within(Allocation size, JobSnapshot job) {
        return size.max(job.minimum()).min(job.maximum());
    }
}
