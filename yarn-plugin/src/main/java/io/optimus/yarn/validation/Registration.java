package io.optimus.yarn.validation;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.SpeedForm;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a job said of itself when it registered; checked.
 *
 * @param name the owner's name for it
 * @param mode how gradients meet
 * @param parameterServers demand of parameter servers
 * @param workers demand of workers
 * @param parameterServerPriority YARN priority of its asks for parameter servers, above 0
 * @param workerPriority YARN priority of its asks for workers, above 0, another one
 * @param globalBatch samples a step, 1 or more
 * @param stepsPerEpoch above 0, finite; as it said last: a job that has not read its data yet can only guess
 * @param stop when it ends, empty where it never says so
 * @param priority larger first
 * @param preemptible whether it may be made smaller against its will
 * @param minRunSeconds how long it keeps what it has
 * @param gpuTypes types of GPUs that its workers may have; none: any
 * @param paced whether its steps are paced to a given speed function
 */
public record Registration(
        String name,
        TrainingMode mode,
        RoleDemand parameterServers,
        RoleDemand workers,
        int parameterServerPriority,
        int workerPriority,
        long globalBatch,
        double stepsPerEpoch,
        Optional<StopRule> stop,
        int priority,
        boolean preemptible,
        long minRunSeconds,
        SortedSet<String> gpuTypes,
        boolean paced) {
    /** Copies. */
    public Registration {
        gpuTypes = Collections.unmodifiableSortedSet(new TreeSet<>(gpuTypes));
    }

    /** The same, with epochs of another length. */
    public Registration withStepsPerEpoch(double steps) {
        return new Registration(
                name,
                mode,
                parameterServers,
                workers,
                parameterServerPriority,
                workerPriority,
                globalBatch,
                steps,
                stop,
                priority,
                preemptible,
                minRunSeconds,
                gpuTypes,
                paced);
    }

    /** Demand of {@code role}. */
    public RoleDemand demand(Role role) {
        return switch (role) {
            case WORKER -> workers;
            case PARAMETER_SERVER -> parameterServers;
        };
    }

    /** Resources of all tasks of {@code allocation}. */
    public Resources resources(Allocation allocation) {
        return parameterServers
                .task()
                .times(allocation.parameterServers())
                .plus(workers.task().times(allocation.workers()));
    }

    /** Of the speed functions that are fitted to what it reports. */
    public SpeedForm speedForm() {
        return SpeedForm.of(mode, (double) globalBatch);
    }

    /** YARN priority of the asks for {@code role}. */
    public int yarnPriority(Role role) {
        return switch (role) {
            case WORKER -> workerPriority;
            case PARAMETER_SERVER -> parameterServerPriority;
        };
    }
}
