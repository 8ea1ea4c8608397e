package io.optimus.model.numerics;

/**
 * The normal distribution of mean 0 and variance 1.
 *
 * <pre>P(Z ≤ −x) = t · e^(−x²/2 + c_0 + c_1·t + … + c_9·t⁹) / 2,  t = 1 / (1 + x/√8),  x ≥ 0</pre>
 *
 * <p>A Chebyshev fit of the complementary error function (Press et al., Numerical Recipes, 2nd edition, section 6.2, erfcc): its relative error
 * is less than 1.2e-7, in the tails too, and it takes the time of one exponential. Example: P(Z ≤ −1.96) = 0.025.
 */
public final class StandardNormal {
    /** c_0 to c_9. */
    private static final double[] COEFFICIENTS = {
        -1.26551223,
        1.00002368,
        0.37409196,
        0.09678418,
        -0.18628806,
        0.27886807,
        -1.13520398,
        1.48851587,
        -0.82215223,
        0.17087277
    };

    private StandardNormal() {}

    /** Φ(z), the probability of at most {@code z}. */
    public static double below(double z) {
        double t = 1 / (1 + Math.abs(z) / Math.sqrt(8));
        double exponent = 0;
        for (int i = COEFFICIENTS.length - 1; i >= 0; i--) {
            exponent = exponent * t + COEFFICIENTS[i];
        }
        double tail = t * Math.exp(exponent - z * z / 2) / 2;
        return z > 0 ? 1 - tail : tail;
    }
}
