package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.trace.SteppingScript;
import io.optimus.sim.truth.SteppingTraining;
import java.util.Optional;
import java.util.OptionalDouble;

/** All-reduce jobs for tests, with one GPU and one step a second for each worker. */
public final class AllReduceJobs {
    static final SpeedFunction SPEED = Allocation::workers;

    private AllReduceJobs() {}

    /** A job that asks for {@code requested} workers and may have 1 to 4. */
    public static SimulatedJob job(String id, double arrivalSeconds, int requested, double steps) {
        JobDemand demand = new JobDemand(RoleDemand.NONE, new RoleDemand(Resources.of(0, 0, 1), 1, 4));
        return new SimulatedJob(
                id,
                "test",
                arrivalSeconds,
                demand,
                new Allocation(0, requested),
                OptionalDouble.empty(),
                new SteppingScript(
                        SPEED,
                        seed -> new SteppingTraining(SPEED, steps, Optional.empty()),
                        demand,
                        new Declaration(new SpeedForm.Synchronous(1), Optional.empty(), 100)));
    }
}
