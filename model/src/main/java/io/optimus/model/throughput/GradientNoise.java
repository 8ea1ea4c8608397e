package io.optimus.model.throughput;

/**
 * The noise of a job's gradients, which decides the value of a larger batch (Pollux, section 3.1; McCandlish et al. 2018).
 *
 * <pre>
 * gain(scale)   = (variance + squaredNorm) / (variance/scale + squaredNorm), with scale = M/M0
 * efficiency(M) = gain / scale = (φ + M0) / (φ + M), with φ = M0·variance/squaredNorm the gradient noise scale
 * </pre>
 *
 * <p>A step of batch M does as much as {@code gain} steps of the initial batch M0. Example: variance 3, squared norm 1, a
 * batch of twice the initial one: gain 4/(1.5 + 1) = 1.6, efficiency 0.8.
 *
 * @param squaredNorm |E g|² of the gradient g of a batch M0, 0 or more
 * @param variance E|g − E g|² of a batch M0, 0 or more
 */
public record GradientNoise(double squaredNorm, double variance) {
    /** Throws if a number is negative or not finite. */
    public GradientNoise {
        if (!(squaredNorm >= 0 && variance >= 0 && squaredNorm + variance < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("Squared norm and variance of a gradient must be 0 or more, got "
                    + squaredNorm + " and " + variance);
        }
    }

    /** φ: the batch, in samples, at which noise and gradient are equally large; infinite if there is no gradient but noise. */
    public double scale(int initialBatch) {
        return variance == 0 ? 0 : initialBatch * variance / squaredNorm;
    }

    /**
     * The number of steps of the initial batch that a step of a batch {@code scale} times as large is worth: from 1 to {@code
     * scale}.
     *
     * @param scale above 0
     */
    public double gain(double scale) {
        double denominator = variance / scale + squaredNorm;
        return denominator > 0 ? (variance + squaredNorm) / denominator : 1;
    }
}
