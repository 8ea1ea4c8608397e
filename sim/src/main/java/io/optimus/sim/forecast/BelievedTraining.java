package io.optimus.sim.forecast;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.truth.SteppingTraining;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The knowledge of a job that does what the scheduler believes: its remaining steps fall as it trains, and nothing new is learned.
 * So no size is explored or tried.
 */
final class BelievedTraining implements Knowledge, BeliefSource {
    /** A job that should have ended by now ends at once. */
    private static final double LEAST_STEPS = 1e-6;

    private final BeliefSource atStart;
    private final SteppingTraining training;

    private BelievedTraining(BeliefSource atStart, SteppingTraining training) {
        this.atStart = atStart;
        this.training = training;
    }

    /** Starts {@code job}. Without a speed it holds its tasks, and nobody knows how far it comes. */
    static SimulatedJob.Script script(ForecastJob job) {
        return (options, seed) -> {
            SpeedFunction speed = job.speed().orElse(size -> 1);
            double steps =
                    job.ends() ? Math.max(LEAST_STEPS, job.remainingSteps().getAsDouble()) : Double.POSITIVE_INFINITY;
            SteppingTraining training =
                    job.ends() ? new SteppingTraining(speed, steps, Optional.empty()) : SteppingTraining.endless(speed);
            return new Begun(training, new BelievedTraining(job.belief(), training), List.of());
        };
    }

    @Override
    public boolean observe() {
        training.reports().takeSpeeds();
        return false;
    }

    @Override
    public BeliefSource belief() {
        return this;
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return atStart.speed();
    }

    @Override
    public Optional<SpeedFunction> expectedSpeed() {
        return atStart.expectedSpeed();
    }

    @Override
    public RemainingBelief remaining() {
        RemainingBelief start = atStart.remaining();
        double done = training.reports().step();
        return start.steps().isPresent()
                ? new RemainingBelief(
                        OptionalDouble.of(Math.max(0, start.steps().getAsDouble() - done)), start.trust())
                : start;
    }

    @Override
    public boolean young() {
        return atStart.young();
    }
}
