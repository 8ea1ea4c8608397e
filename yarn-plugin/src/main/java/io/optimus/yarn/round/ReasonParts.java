package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.LimitReason;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.SizeOrder;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Adds to the reasons of policies what only the scheduler knows: orders of administrators, what the queue grants of what the
 * owner asked for, and lost nodes.
 */
record ReasonParts(ControlLoop.State state, OptimusConfiguration settings, LostTasks lost, long nowMillis) {
    /** A job that may not shrink learns with care only while its speed is not known. */
    private static final Set<ReasonKind> LEARNS =
            EnumSet.of(ReasonKind.NOT_MEASURED, ReasonKind.EXPLORES, ReasonKind.GROWS_IN_STEPS);

    /** The proposal, with all parts of its reason. */
    Proposal explained(JobView job, Proposal proposal, Planner planner) {
        SizeOrder fixed = state.orders().inForce().sizes().get(job.id());
        SchedulingTerms granted = settings.owners().within(job.facts().queue(), job.scheduling());
        Proposal known = fixed == null
                ? keepingTasks(job, granted, proposal, planner)
                : proposal.because(new SchedulerReason.SizeFixed(fixed.size()));
        Proposal within = terms(job, granted).map(known::because).orElse(known);
        return lost.of(job.id()).map(within::because).orElse(within);
    }

    private static Optional<SchedulerReason> terms(JobView job, SchedulingTerms granted) {
        SchedulingTerms asked = job.scheduling();
        if (granted.preemptible() != asked.preemptible()) {
            return Optional.of(new SchedulerReason.QueueShrinksAll());
        }
        return !granted.preemptible() || granted.minRunSeconds() == asked.minRunSeconds()
                ? Optional.empty()
                : Optional.of(new SchedulerReason.QueueKeepsFor(granted.minRunSeconds()));
    }

    private Proposal keepingTasks(JobView job, SchedulingTerms granted, Proposal proposal, Planner planner) {
        Allocation held = job.progress().members().allocation();
        Allocation maximum = job.registration().demand().maximum();
        boolean careful = !held.isNone()
                && !held.equals(maximum)
                && planner.learning(job.facts().queue()) != LearningMode.FIXED_SIZE
                && !job.mayShrink(granted, nowMillis);
        if (!careful) {
            return proposal;
        }
        LimitReason limit = new LimitReason.KeepsTasks(held.times(2).min(maximum));
        return new Proposal(
                proposal.planned(),
                () -> {
                    Explanation why = proposal.explanation();
                    return why.kinds().stream().anyMatch(LEARNS::contains) ? why.and(limit) : why;
                },
                proposal.exploring());
    }
}
