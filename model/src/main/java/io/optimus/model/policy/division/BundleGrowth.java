package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.decision.BundleReason;
import io.optimus.model.job.JobSnapshot;
import java.util.Optional;

/**
 * A participant that grows by bundles, as near to one parameter server per worker as its limits allow.
 *
 * <p>Its first bundle is its minimum. From there on a bundle is a task of each role or, if it has more of one role, a task of
 * the other; a role at its maximum is left out. Example: minimum 1 ps + 3 workers, at most 3 ps: 1 + 3, 2 + 3, 3 + 3, 3 + 4, …
 */
public final class BundleGrowth {
    private final Participant participant;
    private Optional<BundleReason.NoRoom> refused = Optional.empty();

    public BundleGrowth(Participant participant) {
        this.participant = participant;
    }

    public JobSnapshot job() {
        return participant.job();
    }

    public Allocation given() {
        return participant.given();
    }

    /** The job's tasks with one more bundle; unchanged at its maximum. */
    public Allocation grown() {
        Allocation given = given();
        if (!job().minimum().isWithin(given)) {
            return given.max(job().minimum());
        }
        boolean workers = given.workers() < job().maximum().workers();
        boolean servers = given.parameterServers() < job().maximum().parameterServers();
        boolean worker = workers && (!servers || given.workers() <= given.parameterServers());
        boolean server = servers && (!workers || given.parameterServers() <= given.workers());
        return given.plus(new Allocation(server ? 1 : 0, worker ? 1 : 0));
    }

    /** Takes the next bundle if there is room. Returns whether it may take another. */
    public boolean take(Division division) {
        Allocation grown = grown();
        if (!job().minimum().isWithin(given())) {
            return division.giveMinimum(participant) && canGrow();
        }
        refused = division.raise(participant, grown)
                .map(shortage -> new BundleReason.NoRoom(grown.beyond(given()), shortage));
        return refused.isEmpty() && canGrow();
    }

    public boolean canGrow() {
        return !grown().equals(given());
    }

    /** Explains what it was given; a job that waits was explained before. */
    public void explain(BundleReason.Rule rule) {
        if (!participant.waits()) {
            participant.explain(new BundleReason(participant.change(), rule, refused));
        }
    }
}
