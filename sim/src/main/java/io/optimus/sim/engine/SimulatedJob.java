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
 * A job of a workload, before it runs. Immutable: each run begins it anew.
 *
 * @param id unique in its workload
 * @param model what it trains, for reports
 * @param arrivalSeconds virtual time of its submission, 0 or more and finite
 * @param demand what it wants of each role
 * @param requested size that its owner asked for, for policies that do not resize
 * @param pauseSeconds mean pause of its resizes where that was measured, 0 or more
 * @param script what happens once it was submitted
 */
public record SimulatedJob(
        String id,
        String model,
        double arrivalSeconds,
        JobDemand demand,
        Allocation requested,
        OptionalDouble pauseSeconds,
        Script script) {

    /** Refuses arrivals outside of time. */
    public SimulatedJob {
        if (!(arrivalSeconds >= 0 && arrivalSeconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("A job arrives at 0 s or later, got " + arrivalSeconds + " of " + id);
        }
    }

    /** The same job with what it demands under {@code terms}. */
    public SimulatedJob under(RunOptions terms) {
        return new SimulatedJob(
                id,
                model,
                arrivalSeconds,
                new JobDemand(demand.parameterServers(), script.workers(demand.workers(), terms.batch())),
                requested,
                pauseSeconds,
                script);
    }

    /** Every size that it may have and that {@code capacity} could hold, the smallest first. */
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

    /** Begins a job, once for each run. */
    public interface Script {
        /**
         * The truth, and what the scheduler may know of it.
         *
         * @param terms what the scheduler may know
         * @param seed of everything that is drawn for this job in this run
         */
        Begun begin(RunOptions terms, long seed);

        /**
         * Its demand of workers where jobs may adapt their batches or may not: what a job can use depends on its batch.
         *
         * @param demand as it is otherwise
         */
        default RoleDemand workers(RoleDemand demand, Batch batch) {
            return demand;
        }
    }

    /**
     * A job that has begun.
     *
     * @param training what it really does
     * @param knowledge what the scheduler believes of it
     * @param stages its whole work, in order: what is to be done whoever schedules it
     */
    public record Begun(Training training, Knowledge knowledge, List<WorkStage> stages) {
        /** Copies. */
        public Begun {
            stages = List.copyOf(stages);
        }
    }
}
