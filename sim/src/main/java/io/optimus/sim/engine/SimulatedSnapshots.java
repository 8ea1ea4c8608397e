package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.cluster.Resources;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueuedJob;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.sim.knowledge.Outlook;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Active jobs in the model's words, as the scheduler sees them.
 *
 * @param policy that plans them
 * @param nowSeconds all of them were advanced to
 * @param roundSeconds between two rounds
 */
record SimulatedSnapshots(AllocationPolicy policy, double nowSeconds, double roundSeconds) {
    private static final double MILLIS = 1000;

    /** One job, with {@code free} beside what it holds. */
    QueuedJob queued(ActiveJob active, Resources free) {
        SimulatedJob job = active.job();
        Outlook outlook = Outlook.of(policy, active.knowledge());
        RemainingBelief stepsLeft = active.knowledge().stepsLeft();
        JobSnapshot snapshot = new JobSnapshot(
                new JobSnapshot.Identity(job.id(), Math.round(job.arrivalSeconds() * MILLIS), 0),
                new JobDemand(job.parameterServers(), job.workers()),
                job.requested(),
                new JobSnapshot.State(
                        active.placement(),
                        active.trainsOn(),
                        true,
                        active.pauseSeconds(),
                        active.ledger().history(nowSeconds)),
                new JobSnapshot.Belief(
                        outlook.speed(),
                        outlook.stepsLeft(),
                        stepsLeft.trust(),
                        active.knowledge().young(),
                        policy.resizes() ? sizeToLearnFrom(active, outlook, free) : Optional.empty()));
        return new QueuedJob(
                snapshot,
                "",
                active.inForce(),
                active.isPaused(nowSeconds),
                Collections.emptySortedSet(),
                Collections.emptySortedSet());
    }

    private Optional<Allocation> sizeToLearnFrom(ActiveJob active, Outlook outlook, Resources free) {
        Resources room = free.plus(active.held());
        Predicate<Allocation> fits = size -> active.job().resources(size).fitsIn(room);
        Optional<Allocation> trying = Optional.of(active.inForce())
                .filter(Proposal::exploring)
                .map(plan -> plan.planned().allocation());
        Running running = new Running(
                active.placement().allocation(),
                trying,
                active.ledger().ageSeconds(nowSeconds),
                active.pauseSeconds(),
                roundSeconds);
        return outlook.sizeToLearnFrom(running, fits);
    }

    /** What is believed of one job, beside the truth. */
    SimulationListener.Belief belief(ActiveJob active) {
        double steps = active.training().remainingSteps();
        double believedSteps = active.knowledge().stepsLeft().steps().orElse(Double.NaN);
        double believedSpeed = Outlook.of(policy, active.knowledge())
                .speed()
                .map(speed -> speed.stepsPerSecond(
                        active.placement().allocation(),
                        active.placement().byNode().size()))
                .orElse(Double.NaN);
        double initial = active.initialSteps();
        return new SimulationListener.Belief(
                active.job().model(),
                initial > 0 ? Math.min(1, Math.max(0, 1 - steps / initial)) : 1,
                (believedSteps - steps) / initial,
                believedSpeed / active.training().stepsPerSecond() - 1);
    }
}
