package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.policy.RoleDemand;
import io.optimus.model.speed.GivenSpeed;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.knowledge.Told;
import io.optimus.sim.truth.Stage;
import io.optimus.sim.truth.SteppingTraining;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Jobs for tests: all-reduce, one GPU and one step a second for each worker. */
public final class Workers {
    static final GivenSpeed SPEED = Allocation::workers;

    private Workers() {}

    /** Asks for so many workers, and may have 1 to 4. */
    public static SimulatedJob job(String id, double arrivalSeconds, int requested, double steps) {
        return new SimulatedJob(
                id,
                "test",
                arrivalSeconds,
                RoleDemand.NONE,
                new RoleDemand(Resources.of(0, 0, 1), 1, 4),
                new Allocation(0, requested),
                OptionalDouble.empty(),
                (terms, seed) -> {
                    SteppingTraining training = new SteppingTraining(SPEED, steps, Optional.empty());
                    return new Begun(training, new Told(training, SPEED, terms, seed), List.of(Stage.of(steps, SPEED)));
                });
    }
}
