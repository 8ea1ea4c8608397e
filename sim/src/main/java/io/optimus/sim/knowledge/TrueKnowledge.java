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
 * The scheduler is told the truth, or the truth with a given relative error: a job with an error of 20 % is believed to be
 * 1.2 times or 0.8 times as fast as it is, by the toss of a coin, and so for what remains.
 */
public final class TrueKnowledge implements Knowledge, BeliefSource {
    private final DoubleSupplier remainingSteps;
    private final Supplier<SpeedFunction> truth;
    private final double speedFactor;
    private final double remainingFactor;

    /**
     * Of a job.
     *
     * @param training the job
     * @param truth its true speed function
     * @param terms with the errors
     * @param seed of the coins
     */
    public TrueKnowledge(Training training, SpeedFunction truth, RunOptions terms, long seed) {
        this(training::remainingSteps, () -> truth, terms, seed);
    }

    /**
     * Of a job of which the teller counts what remains in his own way, or whose speed function changes.
     *
     * @param remainingSteps as told, before the error, 0 or more
     * @param truth its true speed function now
     * @param terms with the errors
     * @param seed of the coins
     */
    public TrueKnowledge(DoubleSupplier remainingSteps, Supplier<SpeedFunction> truth, RunOptions terms, long seed) {
        Random coins = new Random(seed);
        this.remainingSteps = remainingSteps;
        this.truth = truth;
        this.speedFactor = factor(terms.speedError(), coins);
        this.remainingFactor = factor(terms.remainingError(), coins);
    }

    private static double factor(double error, Random coins) {
        return coins.nextBoolean() ? 1 + error : 1 - error;
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
