package io.optimus.model.job;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training job as a round sees it. What most policies read has a method of its own; the rest is read from the parts.
 *
 * @param identity which job it is
 * @param demand what it wants of each role
 * @param requested size that its owner asked for, between minimum and maximum: what policies give that do not resize
 * @param state what it has now and had so far
 * @param belief what the scheduler believes of it
 */
public record JobSnapshot(Identity identity, JobDemand demand, Allocation requested, State state, Belief belief) {
    /**
     * Which job it is, and what its owner asks of the scheduler.
     *
     * @param id unique; the YARN application id
     * @param submitMillis when it was submitted, for order only
     * @param terms what its owner asks of the scheduler
     */
    public record Identity(String id, long submitMillis, SchedulingTerms terms) {}

    /**
     * What a job has now and had so far.
     *
     * @param current where its tasks are now
     * @param trainsOn tasks that step now: other than {@code current} while a resize is under way, none before the first
     * @param mayShrink false for a job that is not preemptible or has not run its minimum time: it keeps what it has
     * @param resizeCostSeconds stepping that a resize of this job costs, measured or assumed, 0 or more
     * @param history what it had so far
     */
    public record State(
            Placement current, Allocation trainsOn, boolean mayShrink, double resizeCostSeconds, JobHistory history) {}

    /**
     * What the scheduler believes of a job.
     *
     * @param speed the fitted speed function, empty until it is known
     * @param remainingSteps steps to convergence, 0 or more, finite; empty until predicted
     * @param remainingTrust how far {@code remainingSteps} are trusted, from 0 (they are ignored) to 1 (fully)
     * @param young whether the predictions are still poor (few points), so that a policy discounts its gain
     * @param exploration the size to run next in order to learn the speed function, empty when there is nothing to learn
     */
    public record Belief(
            Optional<SpeedFunction> speed,
            OptionalDouble remainingSteps,
            double remainingTrust,
            boolean young,
            Optional<Allocation> exploration) {
        /** The same with another speed function. */
        public Belief withSpeed(Optional<SpeedFunction> other) {
            return new Belief(other, remainingSteps, remainingTrust, young, exploration);
        }
    }

    /** The same job on other GPUs, with another demand and another belief of its speed. */
    public JobSnapshot demanding(JobDemand other, Optional<SpeedFunction> believed) {
        return new JobSnapshot(identity, other, requested, state, belief.withSpeed(believed));
    }

    /** Unique; the YARN application id. */
    public String id() {
        return identity.id();
    }

    /** When it was submitted, for order only. */
    public long submitMillis() {
        return identity.submitMillis();
    }

    /** Larger first where a policy honours priorities. */
    public int priority() {
        return identity.terms().priority();
    }

    public Allocation minimum() {
        return demand.minimum();
    }

    public Allocation maximum() {
        return demand.maximum();
    }

    public Resources resources(Allocation allocation) {
        return demand.resources(allocation);
    }

    public Placement current() {
        return state.current();
    }

    /** Tasks that step now. */
    public Allocation trainsOn() {
        return state.trainsOn();
    }

    /** Whether policies may give it less than it has. */
    public boolean mayShrink() {
        return state.mayShrink();
    }

    public JobHistory history() {
        return state.history();
    }

    /** The fitted speed function, empty until it is known. */
    public Optional<SpeedFunction> speed() {
        return belief.speed();
    }

    /** Steps to convergence, empty until predicted. */
    public OptionalDouble remainingSteps() {
        return belief.remainingSteps();
    }

    /** The job's service so far: its GPUs times the seconds that it held them. A worker without GPUs counts as one GPU. */
    public double gpuSeconds() {
        return history().workerSeconds() * Math.max(1, demand.workers().task().amount(Resources.GPUS));
    }

    /** Whether it holds its minimum at least. */
    public boolean isRunning() {
        return minimum().isWithin(current().allocation());
    }

    /**
     * What changing a running job leaves of its speed (Pollux, section 4.2.1): the part of its life that it would have
     * trained if it had paid for every resize so far and for one more.
     *
     * <pre>max(age − cost · resizes, 0) / (age + cost)</pre>
     *
     * <p>Example: 300 s old, 2 resizes, 30 s each: 240/330 = 0.73.
     *
     * @return from 0 to 1
     */
    public double restartFactor() {
        double age = history().ageSeconds();
        double cost = state.resizeCostSeconds();
        double trained = Math.max(0, age - cost * history().resizes());
        return trained == 0 ? 0 : trained / (age + cost);
    }
}
