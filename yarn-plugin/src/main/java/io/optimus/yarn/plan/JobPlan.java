package io.optimus.yarn.plan;

import io.optimus.model.Allocation;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.decision.Explanation;
import io.optimus.model.job.Placement;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One job's part of the published plan.
 *
 * @param number number of the plan with which this part last changed; rises, also over restarts
 * @param planned placement of its tasks once all shrinks are carried out
 * @param target placement that can hold now: it uses only what is free or held by the job
 * @param awaited further tasks within the guarantee of its queue that YARN may grant on nodes of its own choice
 * @param why the reason, with the figures that decided
 * @param exploring whether the size was chosen to learn the speed function
 * @param growsSinceMillis since when its targets are larger than what it holds, by the round's clock; empty if they are not
 * @param graceEndsMillis when a shrink is enforced, by the round's clock; empty if the job has nothing to release
 * @param remaining predicted time to the end on {@code planned}; empty while unknown
 */
public record JobPlan(
        long number,
        Placement planned,
        Placement target,
        Allocation awaited,
        Explanation why,
        boolean exploring,
        OptionalLong growsSinceMillis,
        OptionalLong graceEndsMillis,
        Optional<RemainingTime> remaining) {

    /** The same part in another plan. */
    public JobPlan numbered(long newNumber) {
        return new JobPlan(
                newNumber, planned, target, awaited, why, exploring, growsSinceMillis, graceEndsMillis, remaining);
    }

    /**
     * Whether it starts or grows, and its containers have been awaited for less than {@code timeoutMillis}: until then its
     * place is kept.
     *
     * @param nowMillis the round's clock
     */
    public boolean keepsPlace(long nowMillis, long timeoutMillis) {
        return growsSinceMillis.isPresent() && nowMillis - growsSinceMillis.getAsLong() < timeoutMillis;
    }

    /** The reason, in one sentence for the owner of the job. */
    public String reason() {
        return why.sentence();
    }

    /** Whether an ApplicationMaster would do the same for {@code other}. */
    public boolean asksTheSameAs(JobPlan other) {
        return target.equals(other.target)
                && planned.equals(other.planned)
                && awaited.equals(other.awaited)
                && exploring == other.exploring
                && graceEndsMillis.isPresent() == other.graceEndsMillis.isPresent();
    }
}
