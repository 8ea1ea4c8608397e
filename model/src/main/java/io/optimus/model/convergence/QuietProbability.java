package io.optimus.model.convergence;

import java.util.function.DoubleFunction;
import org.apache.commons.math3.special.Erf;

/**
 * The probability that an epoch is quiet: that its mean loss decreases by less than a rule asks.
 *
 * <p>With independent normal noise of deviation σ in the means of epochs, a decrease is that of the curve plus the noise of one
 * epoch less that of the next. Where the curve leaves {@code room} below the threshold, an epoch is quiet with probability
 * Φ(a), a = room/(σ·√2). The next decrease shares one epoch, with the other sign, so that a quiet epoch is likelier after one
 * that fell by chance. Of two neighbouring epochs, only the first is quiet with probability o, and only the second with the
 * same probability:
 *
 * <pre>o = 1/π · ∫ exp(−a²/(2·cos²θ)) dθ, θ from 0 to π/3</pre>
 *
 * <p>(2·T(a, √3), Owen 1956). Example without room: Φ(0) = 1/2 and o = 1/3, so that a quiet epoch follows (1/2 − 1/3)/(1/2) =
 * 1/3 of the quiet ones and 2/3 of the others.
 *
 * @param afterQuiet the probability after a quiet epoch
 * @param afterOther the probability after another epoch
 */
record QuietProbability(double afterQuiet, double afterOther) {
    /** Beyond this many deviations the outcome is certain up to 1e-9. */
    private static final double CERTAIN = 6;

    /** Table entries per deviation: interpolated values are off by less than 1e-5. */
    private static final int PER_DEVIATION = 64;

    private static final int SIMPSON_PARTS = 32;

    private static final QuietProbability[] OF_DECREASE = table(QuietProbability::ofTwoEpochs);
    private static final QuietProbability[] OF_LOSS = table(QuietProbability::ofOneEpoch);

    /**
     * The probability that a decrease is quiet.
     *
     * @param room the threshold less the decrease of the curve
     * @param noise the standard deviation of an epoch's mean, above 0
     */
    static QuietProbability ofDecrease(double room, double noise) {
        return interpolated(OF_DECREASE, room / noise / Math.sqrt(2));
    }

    /** The probability that a mean loss is at most {@code room} above the curve; epochs are independent of each other. */
    static QuietProbability ofLoss(double room, double noise) {
        return interpolated(OF_LOSS, room / noise);
    }

    private static QuietProbability ofTwoEpochs(double a) {
        double width = Math.PI / 3 / SIMPSON_PARTS;
        double sum = 0;
        for (int i = 0; i <= SIMPSON_PARTS; i++) {
            double height = Math.exp(-Math.pow(a / Math.cos(i * width), 2) / 2);
            sum += i == 0 || i == SIMPSON_PARTS ? height : i % 2 == 1 ? 4 * height : 2 * height;
        }
        double oneOnly = sum * width / 3 / Math.PI;
        return new QuietProbability(Math.max(0, 1 - oneOnly / normal(a)), Math.min(1, oneOnly / normal(-a)));
    }

    private static QuietProbability ofOneEpoch(double a) {
        return new QuietProbability(normal(a), normal(a));
    }

    private static double normal(double a) {
        return Erf.erfc(-a / Math.sqrt(2)) / 2;
    }

    private static QuietProbability[] table(DoubleFunction<QuietProbability> of) {
        int reach = (int) (CERTAIN * PER_DEVIATION);
        QuietProbability[] table = new QuietProbability[2 * reach + 1];
        for (int i = 0; i < table.length; i++) {
            table[i] = of.apply((i - reach) / (double) PER_DEVIATION);
        }
        return table;
    }

    private static QuietProbability interpolated(QuietProbability[] table, double a) {
        double at = (Math.max(-CERTAIN, Math.min(CERTAIN, a)) + CERTAIN) * PER_DEVIATION;
        int before = (int) Math.min(at, table.length - 2);
        double part = at - before;
        return new QuietProbability(
                table[before].afterQuiet + part * (table[before + 1].afterQuiet - table[before].afterQuiet),
                table[before].afterOther + part * (table[before + 1].afterOther - table[before].afterOther));
    }
}
