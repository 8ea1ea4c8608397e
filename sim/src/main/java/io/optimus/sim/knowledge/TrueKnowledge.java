package io.optimus.sim.knowledge;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.truth.Training;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The scheduler knows the truth, exactly or with a given relative error. Example: a job with an error of 20 % is
 * believed to be 1.2 or 0.8 times as fast as it is, each with probability 1/2. The error of its remaining steps is
 * drawn in the same way.
 */
public final class TrueKnowledge implements Knowledge, BeliefSource {
    private final DoubleSupplier remainingSteps;
    private final Supplier<SpeedFunction> truth;
    private final double speedFactor;
    private final double remainingFactor;

    /**
     * Knowledge of a job whose speed function does not change.
     *
     * @param training the job
     * @param truth its true speed function
     * @param options the errors
     * @param seed seed of the signs of the errors
     */
    public TrueKnowledge(Training training, SpeedFunction truth, RunOptions options, long seed) {
        this(training::remainingSteps, () -> truth, options, seed);
    }

    /**
     * Knowledge of a job whose speed function may change, or whose remaining steps are counted in another way.
     *
     * @param remainingSteps the true steps that remain, 0 or more
     * @param truth its true speed function now
     * @param options the errors
     * @param seed seed of the signs of the errors
     */
    public TrueKnowledge(DoubleSupplier remainingSteps, Supplier<SpeedFunction> truth, RunOptions options, long seed) {
        Random signs = new Random(seed);
        this.remainingSteps = remainingSteps;
        this.truth = truth;
        this.speedFactor = factor(options.speedError(), signs);
        this.remainingFactor = factor(options.remainingError(), signs);
    }

    private static double factor(double error, Random signs) {
        return signs.nextBoolean() ? 1 + error : 1 - error;
    }

    @Override
    public boolean observe() {
        return false;
    }

    @Override
    public BeliefSource belief() {
        return this;
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return Optional.of(truth.get().times(speedFactor));
    }

    @Override
    public RemainingBelief remaining() {
        return RemainingBelief.certain(remainingSteps.getAsDouble() * remainingFactor);
    }

    @Override
    public boolean young() {
        return false;
    }
}
