package io.optimus.model.job;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training job as a round sees it. The values that most policies read have methods here; the rest is read from the parts.
 *
 * @param identity its id and its owner's terms
 * @param demand what it wants of each role
 * @param requested size that its owner asked for, between minimum and maximum; policies that do not resize give this size
 * @param state what it has now and had so far
 * @param belief what the scheduler believes of it
 */
public record JobSnapshot(Identity identity, JobDemand demand, Allocation requested, State state, Belief belief) {
    /**
     * The id of a job, and what its owner asks of the scheduler.
     *
     * @param id unique; the YARN application id
     * @param submitMillis when it was submitted, for order only
     * @param terms what its owner asks of the scheduler
     */
    public record Identity(String id, long submitMillis, SchedulingTerms terms) {}

    /**
     * The present state and the history of a job.
     *
     * @param current where its tasks are now
     * @param trainsOn tasks that step now: they differ from {@code current} during a resize; none before the first step
     * @param mayShrink false for a job that is not preemptible or has not run its minimum time: it keeps what it has
     * @param resizeCostSeconds stepping time that a resize of this job costs, measured or assumed, 0 or more
     * @param history what it had so far
     */
    public record State(
            Placement current, Allocation trainsOn, boolean mayShrink, double resizeCostSeconds, JobHistory history) {}

    /**
     * The scheduler's belief of a job.
     *
     * @param speed what a policy is to believe of steps per second by size; empty until there is something to believe. Where the
     *     policy learns by trying sizes, this is the expected speed, of which only ratios mean something before the first
     *     measurement; otherwise it is fitted to measurements
     * @param remainingSteps steps until the stop rule ends the job, 0 or more, finite; empty until predicted, and while only
     *     ratios of {@code speed} mean something
     * @param remainingTrust how far to rely on {@code remainingSteps}, from 0 (as if empty) to 1
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

    /** The same job where it holds only its minimum and may give up none of it. */
    public JobSnapshot keepingMinimum() {
        State other =
                new State(current().largest(minimum()), trainsOn(), false, state.resizeCostSeconds(), state.history());
        return new JobSnapshot(identity, demand, requested, other, belief);
    }

    /** The same job with this many steps left. */
    JobSnapshot withRemaining(double steps) {
        Belief other = new Belief(
                belief.speed(),
                OptionalDouble.of(steps),
                belief.remainingTrust(),
                belief.young(),
                belief.exploration());
        return new JobSnapshot(identity, demand, requested, state, other);
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

    /** What the policy is to believe of steps per second by size; see {@link Belief}. */
    public Optional<SpeedFunction> speed() {
        return belief.speed();
    }

    /** Steps until the stop rule ends the job; empty until predicted. */
    public OptionalDouble remainingSteps() {
        return belief.remainingSteps();
    }

    /** The job's service so far: its GPUs times the seconds that it held them. A worker without GPUs counts as one GPU. */
    public double gpuSeconds() {
        return history().workerSeconds() * Math.max(1, demand.workers().task().amount(Resources.GPUS));
    }

    /** Whether it holds at least its minimum. */
    public boolean isRunning() {
        return minimum().isWithin(current().allocation());
    }

    /**
     * The part of its speed that a running job keeps when it is changed (Pollux, section 4.2.1): the part of its life that it
     * would have trained if it had paid for every resize so far and one more.
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
