package io.optimus.yarn.plan;

import io.optimus.model.belief.RemainingTime;
import io.optimus.model.job.Placement;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One job's part of the published plan.
 *
 * @param number number of the plan with which this part last changed; rises, also over restarts
 * @param planned where its tasks shall be once everybody's shrinks are done
 * @param target where its tasks shall be now: what is free now or the job's already
 * @param reason why, in words
 * @param exploring whether the size was chosen to learn the speed function
 * @param graceEndsMillis when a shrink is enforced, by the round's clock; empty where there is nothing to give up
 * @param remaining predicted time to the end on {@code planned}; empty while unknown
 */
public record JobPlan(
        long number,
        Placement planned,
        Placement target,
        String reason,
        boolean exploring,
        OptionalLong graceEndsMillis,
        Optional<RemainingTime> remaining) {

    public JobPlan numbered(long newNumber) {
        return new JobPlan(newNumber, planned, target, reason, exploring, graceEndsMillis, remaining);
    }

    /** Whether an ApplicationMaster would do the same for {@code other}. */
    public boolean asksTheSameAs(JobPlan other) {
        return target.equals(other.target)
                && planned.equals(other.planned)
                && exploring == other.exploring
                && graceEndsMillis.isPresent() == other.graceEndsMillis.isPresent();
    }
}
