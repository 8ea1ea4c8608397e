package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.plan.Proposal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The decisions of a round.
 *
 * @param proposals proposal for each job, on the room that training may use now
 * @param guaranteed proposal for each job within the guarantee of its queue, as if others held none of it; only its size
 *     counts
 */
record RoundPlan(Map<ApplicationId, Proposal> proposals, Map<ApplicationId, Proposal> guaranteed) {
    /** The decisions before the first round. */
    static final RoundPlan NONE = new RoundPlan(Map.of(), Map.of());

    /** The same with {@code others} in place of the proposals for these jobs, which then have no part of a guarantee. */
    RoundPlan without(Map<ApplicationId, Proposal> others) {
        Map<ApplicationId, Proposal> remaining = new HashMap<>(guaranteed);
        remaining.keySet().removeAll(others.keySet());
        return new RoundPlan(merged(others), remaining);
    }

    /** The same with {@code others} in place of the proposals for these jobs. */
    RoundPlan with(Map<ApplicationId, Proposal> others) {
        return new RoundPlan(merged(others), guaranteed);
    }

    private Map<ApplicationId, Proposal> merged(Map<ApplicationId, Proposal> others) {
        Map<ApplicationId, Proposal> all = new HashMap<>(proposals);
        all.putAll(others);
        return all;
    }

    /** The size of {@code job} within the guarantee of its queue. */
    Allocation guaranteedSize(ApplicationId job) {
        Proposal proposal = guaranteed.get(job);
        return proposal == null ? Allocation.NONE : proposal.planned().allocation();
    }

    /** The size that {@code job} tries within the guarantee of its queue; empty if its size there is not a trial. */
    Optional<Allocation> guaranteedTrial(ApplicationId job) {
        return Optional.ofNullable(guaranteed.get(job))
                .filter(Proposal::exploring)
                .map(proposal -> proposal.planned().allocation());
    }

    RoundPlan {
        proposals = Map.copyOf(proposals);
        guaranteed = Map.copyOf(guaranteed);
    }
}
