package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.plan.Proposal;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The decisions of a round.
 *
 * @param proposals proposal for each job, on the room that training may use now
 * @param guaranteed size for each job within the guarantee of its queue, also where others hold the room now
 */
record RoundPlan(Map<ApplicationId, Proposal> proposals, Map<ApplicationId, Allocation> guaranteed) {
    /** The decisions before the first round. */
    static final RoundPlan NONE = new RoundPlan(Map.of(), Map.of());

    /** The same with {@code others} in place of the proposals for these jobs, which then have no part of a guarantee. */
    RoundPlan with(Map<ApplicationId, Proposal> others) {
        Map<ApplicationId, Proposal> all = new HashMap<>(proposals);
        all.putAll(others);
        Map<ApplicationId, Allocation> sizes = new HashMap<>(guaranteed);
        sizes.keySet().removeAll(others.keySet());
        return new RoundPlan(all, sizes);
    }

    RoundPlan {
        proposals = Map.copyOf(proposals);
        guaranteed = Map.copyOf(guaranteed);
    }
}
