package io.optimus.yarn.validation;

import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.losses.AnnouncedBends;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.throughput.BatchLimits;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job's own description at its registration, checked.
 *
 * @param name the name that its owner gave it
 * @param demand its demand for each role; an all-reduce job demands no parameter servers
 * @param yarnPriorities YARN priority of the requests for each role that it has, above 0 and different for each role
 * @param training how it trains
 * @param scheduling what its owner asks of the scheduler
 */
public record Registration(
        String name,
        JobDemand demand,
        SortedMap<Role, Integer> yarnPriorities,
        Training training,
        SchedulingTerms scheduling) {

    /**
     * How a job trains.
     *
     * @param mode how gradients are combined
     * @param globalBatch samples in one step, 1 or more
     * @param stepsPerEpoch above 0, finite; the last value that the job reported, since it can only guess until it has
     *     read its data
     * @param stop when training ends; empty for a job without a stop rule
     * @param bends where its learning rate falls
     * @param paced whether its steps are paced to a given speed function
     * @param batches the batches that it may train with; empty if its batch is fixed
     */
    public record Training(
            TrainingMode mode,
            long globalBatch,
            double stepsPerEpoch,
            Optional<StopRule> stop,
            AnnouncedBends bends,
            boolean paced,
            Optional<BatchLimits> batches) {
        /** Predicts when it ends; empty for a job without a stop rule. */
        public Optional<ConvergencePrediction> end() {
            return stop.map(rule -> new ConvergencePrediction(rule, stepsPerEpoch, bends));
        }

        /** The form of the speed functions that are fitted to its reports. */
        public SpeedForm speedForm() {
            return SpeedForm.of(mode, (double) globalBatch);
        }
    }

    public Registration {
        yarnPriorities = Collections.unmodifiableSortedMap(new TreeMap<>(yarnPriorities));
    }

    /** Whether the job has tasks of {@code role}. */
    public boolean has(Role role) {
        return yarnPriorities.containsKey(role);
    }

    /** Returns the YARN priority of the requests for {@code role}. */
    public int yarnPriority(Role role) {
        Integer priority = yarnPriorities.get(role);
        if (priority == null) {
            throw new IllegalArgumentException(name + " was registered without a YARN priority for " + role);
        }
        return priority;
    }

    public Registration withStepsPerEpoch(double steps) {
        Training longer = new Training(
                training.mode(),
                training.globalBatch(),
                steps,
                training.stop(),
                training.bends(),
                training.paced(),
                training.batches());
        return new Registration(name, demand, yarnPriorities, longer, scheduling);
    }
}
