package io.optimus.model.job;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training job as a round sees it.
 *
 * @param id unique; the YARN application id
 * @param submitMillis when it was submitted, for order only
 * @param priority larger first where a policy honours priorities
 * @param parameterServers demand of parameter servers; of none in all-reduce training
 * @param workers demand of workers
 * @param requested size that its owner asked for, between minimum and maximum: what policies give that do not resize
 * @param current where its tasks are now
 * @param trainsOn tasks that step now: other than {@code current} while a resize is under way, none before the first
 * @param speed the fitted speed function, empty until it is known
 * @param remainingSteps steps to convergence, 0 or more, finite; empty until predicted
 * @param remainingTrust how far {@code remainingSteps} are believed, from 0, as if there were none, to 1
 * @param young whether the predictions are still poor (few points), so that a policy discounts its gain
 * @param exploration the size to run next in order to learn the speed function, empty when there is nothing to learn
 * @param mayShrink false for a job that is not preemptible or has not run its minimum time: it keeps what it has
 * @param resizeCostSeconds stepping that a resize of this job costs, measured or assumed, 0 or more
 * @param history what it had so far
 */
public record JobSnapshot(
        String id,
        long submitMillis,
        int priority,
        RoleDemand parameterServers,
        RoleDemand workers,
        Allocation requested,
        Placement current,
        Allocation trainsOn,
        Optional<SpeedFunction> speed,
        OptionalDouble remainingSteps,
        double remainingTrust,
        boolean young,
        Optional<Allocation> exploration,
        boolean mayShrink,
        double resizeCostSeconds,
        JobHistory history) {

    /** The same job with other demands and another belief of its speed: what it is on other GPUs. */
    public JobSnapshot demanding(RoleDemand ofServers, RoleDemand ofWorkers, Optional<SpeedFunction> believed) {
        return new JobSnapshot(
                id,
                submitMillis,
                priority,
                ofServers,
                ofWorkers,
                requested,
                current,
                trainsOn,
                believed,
                remainingSteps,
                remainingTrust,
                young,
                exploration,
                mayShrink,
                resizeCostSeconds,
                history);
    }

    /** Demand of {@code role}. */
    public RoleDemand demand(Role role) {
        return switch (role) {
            case WORKER -> workers;
            case PARAMETER_SERVER -> parameterServers;
        };
    }

    /** The smallest allocation that the job runs with. */
    public Allocation minimum() {
        return new Allocation(parameterServers.min(), workers.min());
    }

    /** The largest allocation that the job can use. */
    public Allocation maximum() {
        return new Allocation(parameterServers.max(), workers.max());
    }

    /** Service that it had so far: GPUs times the seconds that it held them; a worker without GPUs counts as one with one. */
    public double gpuSeconds() {
        return history.workerSeconds() * Math.max(1, workers.task().amount(Resources.GPUS));
    }

    /** Whether it holds its minimum at least. */
    public boolean isRunning() {
        return minimum().isWithin(current.allocation());
    }

    /** Resources of all tasks of {@code allocation}. */
    public Resources resources(Allocation allocation) {
        return parameterServers
                .task()
                .times(allocation.parameterServers())
                .plus(workers.task().times(allocation.workers()));
    }
}
