package io.optimus.model;

import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.curve.LossCurve.PowerLaw;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;

/** Loss curves drawn by seed: of each family, and noise of several kinds. */
public final class SeededCurves {
    /** Kinds of noise. */
    public enum Noise {
        /** Independent and normal. */
        NORMAL,
        /** The same, in proportion to the loss. */
        PROPORTIONAL,
        /** Half of it from the point before. */
        CORRELATED,
        /** Of Student's distribution with 3 degrees of freedom. */
        HEAVY_TAILED;

        /** Noise of standard deviation 1, but for the proportional kind. */
        DoubleSupplier drawnBy(Random random) {
            double[] last = {0};
            if (this == CORRELATED) {
                return () -> last[0] = last[0] / 2 + Math.sqrt(0.75) * random.nextGaussian();
            }
            return this == HEAVY_TAILED ? () -> student(random) : random::nextGaussian;
        }

        private static double student(Random random) {
            double squares = 0;
            for (int i = 0; i < 3; i++) {
                squares += Math.pow(random.nextGaussian(), 2);
            }
            return random.nextGaussian() / Math.sqrt(squares);
        }
    }

    private SeededCurves() {}

    /**
     * An inverse decay, a power law, an exponential, in turn by seed: from 1 at step 0 to a limit of up to a half, which it
     * comes near within some {@code horizon} steps, or hardly at all.
     */
    public static LossCurve drawn(long seed, double horizon) {
        Random random = new Random(seed);
        double limit = random.nextDouble() / 2;
        double rate = Math.pow(2, -1 + 7 * random.nextDouble()) / horizon;
        double exponent = Math.pow(2, -2 + 3 * random.nextDouble());
        return switch ((int) Math.floorMod(seed, 3L)) {
            case 0 -> new InverseDecay(rate / (1 - limit), 1 / (1 - limit), limit, 1, 0);
            case 1 -> new PowerLaw(1 - limit, rate, exponent, limit, 0);
            default -> new ExponentialDecay(1 - limit, rate / 2, limit, 0);
        };
    }

    /** {@code points} losses of {@code truth}, one every {@code every} steps, with noise. */
    public static double[] losses(
            DoubleUnaryOperator truth, int points, double every, Noise kind, double noise, Random random) {
        DoubleSupplier draws = kind.drawnBy(random);
        double[] losses = new double[points];
        for (int i = 0; i < points; i++) {
            double loss = truth.applyAsDouble((i + 1) * every);
            losses[i] = loss + noise * draws.getAsDouble() * (kind == Noise.PROPORTIONAL ? loss : 1);
        }
        return losses;
    }

    /** {@code losses} as reported, one every {@code every} steps. */
    public static LossHistory history(double[] losses, long every, double stepsPerEpoch) {
        LossHistory history = new LossHistory(stepsPerEpoch);
        for (int i = 0; i < losses.length; i++) {
            history.add(new LossPoint((i + 1) * every, losses[i]));
        }
        return history;
    }
}
