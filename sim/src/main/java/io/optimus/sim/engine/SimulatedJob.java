package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.truth.Training;
import io.optimus.sim.truth.WorkStage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A job of a workload before it runs. It is immutable; each run starts it again.
 *
 * @param id unique in its workload
 * @param model name of the model that it trains, for reports
 * @param arrivalSeconds virtual time of its submission, 0 or more and finite
 * @param demand its demand of each role
 * @param requested the size that its owner asked for; policies that do not resize use it
 * @param pauseSeconds the mean pause of its resizes, 0 or more; empty if it was not measured
 * @param script starts it
 */
public record SimulatedJob(
        String id,
        String model,
        double arrivalSeconds,
        JobDemand demand,
        Allocation requested,
        OptionalDouble pauseSeconds,
        Script script) {

    /** Throws if the arrival is not at a finite time of 0 s or later. */
    public SimulatedJob {
        if (!(arrivalSeconds >= 0 && arrivalSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "A job must arrive at 0 s or later, got " + arrivalSeconds + " of " + id);
        }
    }

    /** Returns the same job with the demand that it has under {@code options}. */
    public SimulatedJob under(RunOptions options) {
        return new SimulatedJob(
                id,
                model,
                arrivalSeconds,
                new JobDemand(demand.parameterServers(), script.workers(demand.workers(), options.batch())),
                requested,
                pauseSeconds,
                script);
    }

    /** Returns every size that it may have and that {@code capacity} can hold, the smallest first. */
    public List<Allocation> sizes(Resources capacity) {
        List<Allocation> sizes = new ArrayList<>();
        Allocation least = demand.minimum();
        Allocation most = demand.maximum();
        for (int servers = least.parameterServers(); servers <= most.parameterServers(); servers++) {
            for (int count = least.workers(); count <= most.workers(); count++) {
                Allocation size = new Allocation(servers, count);
                if (!demand.resources(size).fitsIn(capacity)) {
                    break;
                }
                sizes.add(size);
            }
        }
        return sizes;
    }

    /** Starts a job, once in each run. */
    public interface Script {
        /**
         * Starts the job.
         *
         * @param options what the scheduler may know
         * @param seed seed of everything that is drawn for this job in this run
         */
        Begun begin(RunOptions options, long seed);

        /**
         * Returns the demand of workers under a batch rule, since the workers that a job can use depend on its batch.
         *
         * @param demand the demand that the workload names
         */
        default RoleDemand workers(RoleDemand demand, Batch batch) {
            return demand;
        }
    }

    /**
     * A job that has started.
     *
     * @param training its true training
     * @param knowledge what the scheduler can know of it
     * @param stages its whole work in order; it does not depend on the scheduler
     */
    public record Begun(Training training, Knowledge knowledge, List<WorkStage> stages) {
        public Begun {
            stages = List.copyOf(stages);
        }
    }
}
