package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.AllocationReason.NotKnown;
import io.optimus.model.decision.GrowthEnd;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Gives jobs the sizes to learn their speed on, from what is left after the division. */
public final class ExplorationSizes {
    private final Division division;
    private final boolean exploresFirst;
    private final BiPredicate<Participant, Allocation> worthTrying;

    /**
     * Sizes of one division.
     *
     * @param exploresFirst whether jobs explore before their speed is known, and leave unused tasks to others; else a job tries
     *     a size once its speed is known, and its unused tasks stay reserved for its return
     * @param worthTrying whether a job with a known speed may try a size
     */
    public ExplorationSizes(
            Division division, boolean exploresFirst, BiPredicate<Participant, Allocation> worthTrying) {
        this.division = division;
        this.exploresFirst = exploresFirst;
        this.worthTrying = worthTrying;
    }

    /** Gives every job that does not wait, in the order of the division, the size that it is to learn from. */
    public void give() {
        division.participants().stream()
                .filter(participant -> !participant.waits())
                .forEach(this::give);
    }

    private void give(Participant participant) {
        JobSnapshot job = participant.job();
        Optional<Allocation> size = job.belief().exploration().map(job.demand()::clamp);
        if (job.speed().isEmpty()) {
            size.filter(wanted -> exploresFirst)
                    .ifPresentOrElse(wanted -> explore(participant, wanted), () -> stay(participant));
        } else {
            size.filter(wanted -> mayGoTo(participant, wanted) && worthTrying.test(participant, wanted))
                    .filter(wanted -> exploresFirst
                            ? division.exchange(participant, wanted)
                            : division.tryBeside(participant, wanted))
                    .ifPresent(given -> participant.explore());
        }
    }

    private static boolean mayGoTo(Participant participant, Allocation size) {
        JobSnapshot job = participant.job();
        return job.mayShrink() || participant.held().min(job.maximum()).isWithin(size);
    }

    private void explore(Participant participant, Allocation size) {
        if (!participant.given().isWithin(size)) {
            explain(participant, new GrowthEnd.WouldExplore(size));
            return;
        }
        Optional<Shortage> shortage = division.raise(participant, size);
        if (shortage.isEmpty()) {
            participant.explore();
        } else {
            explain(participant, new GrowthEnd.NoRoomToExplore(size, shortage.get()));
        }
    }

    /** Without measurements there is nothing to explore: the job keeps its size, as far as there is room. */
    private void stay(Participant participant) {
        JobSnapshot job = participant.job();
        Allocation size = job.demand().clamp(participant.runsOn());
        if (participant.isGuaranteed() && size.equals(participant.given())) {
            return;
        }
        Optional<Shortage> shortage = division.raise(participant, size);
        GrowthEnd measured =
                job.maximum().equals(job.minimum()) ? new GrowthEnd.AtMaximum() : new GrowthEnd.MeasuredFirst();
        explain(
                participant,
                shortage.<GrowthEnd>map(what -> new GrowthEnd.NoRoomToStay(size, what))
                        .orElse(measured));
    }

    private static void explain(Participant participant, GrowthEnd end) {
        AllocationReason reason = new NotKnown(participant.change(), end);
        if (participant.isGuaranteed()) {
            participant.guarantee(reason);
        } else {
            participant.explain(reason);
        }
    }
}
