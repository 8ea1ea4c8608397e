package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.speed.InformationMatrix.Covariance;
import java.util.List;

/**
 * How far a fitted speed may be off at each size: one standard error, relative.
 *
 * <pre>error²(a) = k²·e² + (1 − k²)·( z·C·zᵗ + σ² ),  k = e^(−d)</pre>
 *
 * <p>with d the distance to the nearest measured size as in {@link MeasuredSpeed}, and e the standard error of that measurement;
 * z the features over the fitted seconds; C = (Σ w·zᵗz/(σ² + e²) + P)⁻¹ the covariance of the coefficients; and σ the error
 * of the form at the measured sizes. So a measured size is known as well as it was measured; a size far from all of them is a
 * guess. The guess is worse if its seconds depend on a feature that no measurement separates from the others.
 *
 * <p>σ begins at {@value #EXPECTED_MISFIT}; P says that no feature takes much more than a whole step of the smallest measured size.
 * Negative coefficients, which the fit excludes, are not excluded here, so that the error is rather too large.
 *
 * <p>Policies see it as {@link SpeedFit.Fitted#young()}, which discounts the gain of a job; {@code Exploration} leaves out the
 * sizes whose speed is sure.
 */
public final class SpeedConfidence {
    /** The mean error of the form on measured surfaces of four models. */
    static final double EXPECTED_MISFIT = 0.1;

    /** The expected error counts as much as this many sizes. */
    private static final double EXPECTED_COUNT = 2;

    /** The prior standard deviation of a coefficient, in steps of the smallest measured size. */
    private static final double PRIOR_STEPS = 0.5;

    private final SpeedForm form;
    private final SpeedFunction fitted;
    private final List<MeasuredSize> sizes;
    private final double variance;
    private final Covariance covariance;

    /**
     * The confidence in {@code fitted}.
     *
     * @param measured 1 size or more
     */
    SpeedConfidence(SpeedForm form, SpeedFunction fitted, MeasuredSizes measured) {
        this.form = form;
        this.fitted = fitted;
        this.sizes = measured.sizes();
        this.variance = misfit();
        MeasuredSize smallest = sizes.get(0);
        double[] prior = shares(smallest.allocation(), smallest.stepsPerSecond());
        for (int j = 0; j < prior.length; j++) {
            prior[j] = prior[j] * prior[j] / (PRIOR_STEPS * PRIOR_STEPS);
        }
        InformationMatrix information = new InformationMatrix(prior);
        for (MeasuredSize size : sizes) {
            information.add(
                    shares(size.allocation(), size.stepsPerSecond()),
                    size.weight() / (variance + size.standardError() * size.standardError()));
        }
        this.covariance = information.covariance();
    }

    private double misfit() {
        double sum = EXPECTED_COUNT * EXPECTED_MISFIT * EXPECTED_MISFIT;
        double count = EXPECTED_COUNT;
        for (MeasuredSize size : sizes) {
            double miss = size.stepsPerSecond() / fitted.stepsPerSecond(size.allocation(), size.nodes()) - 1;
            sum += size.weight() * miss * miss;
            count += size.weight();
        }
        // Every coefficient absorbs the error of one size.
        double coefficients = form.features(sizes.get(0).allocation()).length;
        return sum / Math.max(EXPECTED_COUNT, count - coefficients);
    }

    private double[] shares(Allocation allocation, double stepsPerSecond) {
        double seconds = form.seconds(allocation, stepsPerSecond);
        double[] shares = form.features(allocation);
        for (int j = 0; j < shares.length; j++) {
            shares[j] /= seconds;
        }
        return shares;
    }

    /**
     * One standard error of the speed on {@code allocation}, relative to it, above 0; 0.2 means that the speed is off by less than
     * 20 % in two of three cases.
     *
     * @param allocation at least one task of each role
     */
    public double standardError(Allocation allocation) {
        double[] shares = shares(allocation, fitted.stepsPerSecond(allocation));
        double fromFit = covariance.between(shares, shares) + variance;
        double nearness = 0;
        double measuredError = 0;
        for (MeasuredSize size : sizes) {
            double near = Math.exp(-MeasuredSpeed.distance(allocation, size.allocation()));
            if (near > nearness) {
                nearness = near;
                measuredError = size.standardError();
            }
        }
        double known = nearness * nearness;
        return Math.sqrt(known * measuredError * measuredError + (1 - known) * fromFit);
    }
}
