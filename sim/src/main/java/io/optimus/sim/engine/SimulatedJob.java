package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
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
 * @param submission when, where and on which terms it is submitted
 * @param demand its demand of each role
 * @param requested the size that its owner asked for; policies that do not resize use it
 * @param pauses its measured pauses
 * @param script starts it
 */
public record SimulatedJob(
        String id,
        String model,
        Submission submission,
        JobDemand demand,
        Allocation requested,
        Pauses pauses,
        Script script) {

    /**
     * A job of the only user in the only queue.
     *
     * @param pauseSeconds the mean pause of its resizes, 0 or more; empty if it was not measured
     */
    public SimulatedJob(
            String id,
            String model,
            double arrivalSeconds,
            JobDemand demand,
            Allocation requested,
            OptionalDouble pauseSeconds,
            Script script) {
        this(
                id,
                model,
                Submission.at(arrivalSeconds),
                demand,
                requested,
                new Pauses(OptionalDouble.empty(), pauseSeconds),
                script);
    }

    public double arrivalSeconds() {
        return submission.arrivalSeconds();
    }

    /** Returns the same job with the demand that it has under {@code options}. */
    public SimulatedJob under(RunOptions options) {
        return new SimulatedJob(
                id,
                model,
                submission,
                new JobDemand(demand.parameterServers(), script.workers(demand.workers(), options.batch())),
                requested,
                pauses,
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

    /**
     * When, where and on which terms a simulated job is submitted.
     *
     * @param arrivalSeconds virtual time, 0 or more and finite
     * @param queue path of its leaf queue
     * @param user its owner
     * @param terms what its owner asks of the scheduler
     */
    public record Submission(double arrivalSeconds, String queue, String user, SchedulingTerms terms) {
        /** The queue of all jobs of a workload that names none. */
        public static final String ONLY_QUEUE = "root.default";

        /** Throws if the arrival is not at a finite time of 0 s or later. */
        public Submission {
            if (!(arrivalSeconds >= 0 && arrivalSeconds < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("A job must arrive at 0 s or later, got " + arrivalSeconds);
            }
        }

        /** A submission of the only user to the only queue. */
        public static Submission at(double arrivalSeconds) {
            return new Submission(arrivalSeconds, ONLY_QUEUE, "", SchedulingTerms.DEFAULT);
        }
    }

    /**
     * The measured pauses of a job.
     *
     * @param startSeconds from its first plan with tasks to its first step, 0 or more; empty if it was not measured
     * @param resizeSeconds mean pause of its resizes, 0 or more; empty if it was not measured
     */
    public record Pauses(OptionalDouble startSeconds, OptionalDouble resizeSeconds) {
        /** A job whose pauses were not measured. */
        public static final Pauses UNKNOWN = new Pauses(OptionalDouble.empty(), OptionalDouble.empty());
    }
}
