package io.optimus.model.curve;

import io.optimus.model.curve.CurveFit.Diverging;
import io.optimus.model.losses.Preprocessing;
import io.optimus.model.numerics.Medians;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether training has lost all that it had gained: of the means of eight parts of the curve the last is the largest, and
 * above the first by more than {@value #SPREADS} times what neighbouring parts usually differ by.
 *
 * <p>Example: parts 1.0, 0.6, 0.5, 0.5, 0.5, 0.6, 0.9, 3.0 usually differ by 0.1; 3.0 − 1.0 is more than 0.4, so that it
 * diverges. A restart's jump does not go beyond the first part for long; a plateau's noise seldom does.
 */
final class Divergence {
    private static final int PARTS = 8;

    /** Of flat noise the last part is above the first by that in 1 of 300 cases (2.7 standard deviations). */
    private static final double SPREADS = 4;

    private Divergence() {}

    /**
     * The outcome where it diverges.
     *
     * @param steps rising, 8 or more
     * @param losses without outliers
     */
    static Optional<Diverging> of(double[] steps, double[] losses) {
        double[] parts = Preprocessing.averagedDown(losses, PARTS);
        double[] differences = new double[parts.length - 1];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = Math.abs(parts[i + 1] - parts[i]);
        }
        double usual = Medians.upper(differences);
        double last = parts[parts.length - 1];
        boolean largest = Arrays.stream(parts, 0, parts.length - 1).allMatch(part -> part < last);
        if (!largest || last - parts[0] <= SPREADS * usual) {
            return Optional.empty();
        }
        double step = steps[steps.length - 1];
        String reason = String.format(
                Locale.ROOT,
                "the loss rises: %.4g at the beginning, %.4g until step %d",
                parts[0],
                last,
                Math.round(step));
        return Optional.of(new Diverging(new ExponentialDecay(0, 1, last, step), reason));
    }
}
