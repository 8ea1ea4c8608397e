package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.JobSituation;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.JobSnapshot.Identity;
import io.optimus.model.job.JobSnapshot.State;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueuedJob;
import java.util.Collections;
import java.util.Optional;

/**
 * Makes snapshots of active jobs, as the ResourceManager does of registered ones.
 *
 * @param learning how the jobs of the policy learn
 * @param nowSeconds the time that all jobs were advanced to
 * @param roundSeconds time between two rounds
 */
record SimulatedSnapshots(LearningMode learning, double nowSeconds, double roundSeconds) {
    private static final double MILLIS = 1000;

    /** Makes snapshots of jobs that were advanced to the present of {@code state}. */
    static SimulatedSnapshots of(SimulationState state, LearningMode learning) {
        return new SimulatedSnapshots(
                learning, state.nowSeconds(), state.setup().intervalSeconds());
    }

    /**
     * The snapshot of one job.
     *
     * @param free resources that jobs of its queue may take beyond those that they hold
     */
    QueuedJob queued(ActiveJob active, Resources free) {
        SimulatedJob job = active.job();
        boolean resizing = active.isPaused(nowSeconds);
        boolean mayShrink = active.mayShrink(nowSeconds);
        JobSituation now = JobSituation.of(job.demand(), running(active), resizing, free);
        SchedulingTerms terms = job.submission().terms();
        JobSnapshot snapshot = new JobSnapshot(
                new Identity(job.id(), Math.round(job.arrivalSeconds() * MILLIS), terms),
                job.demand(),
                job.requested(),
                new State(
                        active.placement(),
                        active.trainsOn(),
                        mayShrink,
                        active.pauseSeconds(),
                        active.accounting().history(nowSeconds)),
                active.knowledge().belief().belief(learning, mayShrink ? now : now.keepingTasks()));
        return new QueuedJob(
                snapshot,
                job.submission().user(),
                active.inForce(),
                resizing,
                Collections.emptySortedSet(),
                terms.gpuTypes());
    }

    private Running running(ActiveJob active) {
        Optional<Allocation> trying = Optional.of(active.inForce())
                .filter(Proposal::exploring)
                .map(plan -> plan.planned().allocation());
        return new Running(
                active.placement().allocation(),
                trying,
                active.accounting().ageSeconds(nowSeconds),
                active.pauseSeconds(),
                roundSeconds);
    }

    /** Compares the belief about a job with the truth. */
    SimulationListener.BeliefError beside(ActiveJob active) {
        BeliefSource belief = active.knowledge().belief();
        double steps = active.training().remainingSteps();
        double believedSteps = belief.remaining().steps().orElse(Double.NaN);
        double believedSpeed = belief.speed(learning)
                .map(speed -> speed.stepsPerSecond(
                        active.placement().allocation(),
                        active.placement().byNode().size()))
                .orElse(Double.NaN);
        double initial = active.initialSteps();
        return new SimulationListener.BeliefError(
                active.job().model(),
                initial > 0 ? Math.min(1, Math.max(0, 1 - steps / initial)) : 1,
                (believedSteps - steps) / initial,
                believedSpeed / active.training().stepsPerSecond() - 1);
    }
}
