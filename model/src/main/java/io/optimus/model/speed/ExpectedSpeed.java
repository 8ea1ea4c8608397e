package io.optimus.model.speed;

import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import java.util.Arrays;

/**
 * What is to be expected of a job's speed, from its first moment on: what is {@linkplain TypicalSpeed typical}, as far as
 * nothing that was measured speaks against it. So a job may begin on a large size, and what it grows to is measured as
 * well as what it would explore.
 *
 * <pre>minimise Σ_i weight_i/(σ² + e_i²) · ( Σ_j x_j·typical_j·feature_j(a_i) / seconds_i − 1 )² + Σ_j ( x_j − s )²/τ²  over x, s ≥ 0</pre>
 *
 * <p>with e_i the standard error of a measured size; typical_j the coefficients of a typical model, s how much slower this
 * one is in all, x_j in its coefficient j: the mean of Gaussian beliefs after the measurements. σ = 0.1: a
 * speed is known to a tenth, because the form misses it by that. τ = 1: a coefficient is what is typical,
 * give or take as much again. Where one node and several were measured, what crosses between nodes is one coefficient more
 * (see {@link PlacedSpeed}), of which nothing is typical: s is 0 for it. The outcome is corrected by what was measured
 * ({@link MeasuredSpeed}).
 *
 * <p>Example: synchronous, 1 s a step measured on 1 ps + 1 worker: 0.83 s are expected on 4 + 1. With
 * 0.95 s measured on 2 + 1, where 0.88 s were expected, 0.90 s.
 */
public final class ExpectedSpeed {
    private static final double MISFIT = SpeedConfidence.EXPECTED_MISFIT;
    private static final double SPREAD = 1;

    /** The mean of the eight models: nothing is free to a policy that compares shares, so that no more is needed. */
    private static final double SERVERS = 0.001;

    private final SpeedForm form;
    private final MeasuredSizes measured;
    /** Coefficients of a typical model that is about as fast as what was measured. */
    private final double[] typical;

    private final double secondsPerRatio;
    /** Those of the form, one of the placement where it can be told, and how much slower it is in all. */
    private final int unknowns;

    private ExpectedSpeed(SpeedForm form, MeasuredSizes measured) {
        this.form = form;
        this.measured = measured;
        double seconds = TypicalSpeed.secondsOnOneOfEach(form, measured);
        this.typical = typical(form, seconds);
        this.secondsPerRatio = seconds * TypicalSpeed.PER_RATIO;
        this.unknowns = typical.length + (measured.tellPlacement() ? 1 : 0) + 1;
    }

    /**
     * The expected function; before anything was measured, one that tells nothing but how many times as fast a size is as
     * another.
     *
     * @param form of the job's functions
     * @param measured what ran, as {@link SpeedSamples#sizes()} gives it
     */
    public static SpeedFunction given(SpeedForm form, MeasuredSizes measured) {
        if (measured.isEmpty()) {
            return form.function(typical(form, 1));
        }
        return new MeasuredSpeed(new ExpectedSpeed(form, measured).fitted(), measured);
    }

    private static double[] typical(SpeedForm form, double seconds) {
        double[] coefficients = TypicalSpeed.coefficients(form, seconds);
        coefficients[coefficients.length - 1] = seconds * SERVERS;
        return coefficients;
    }

    private SpeedFunction fitted() {
        double[] times = new NonNegativeLeastSquaresSolver().solve(problem()).toArray();
        double[] coefficients = typical.clone();
        Arrays.setAll(coefficients, j -> times[j] * typical[j]);
        SpeedFunction together = form.function(coefficients);
        return measured.tellPlacement()
                ? new PlacedSpeed(
                        together, form, times[typical.length] * secondsPerRatio, measured.densestTasksPerNode())
                : together;
    }

    private NonNegativeLeastSquaresProblem problem() {
        int sizes = measured.sizes().size();
        double[][] rows = new double[sizes + unknowns - 1][];
        double[] rightSide = new double[rows.length];
        for (int i = 0; i < sizes; i++) {
            MeasuredSize size = measured.sizes().get(i);
            rightSide[i] = Math.sqrt(size.weight() / (MISFIT * MISFIT + size.standardError() * size.standardError()));
            rows[i] = shares(size, rightSide[i]);
        }
        for (int j = 0; j < unknowns - 1; j++) {
            double[] row = new double[unknowns];
            row[j] = 1 / SPREAD;
            row[unknowns - 1] = j < typical.length ? -1 / SPREAD : 0;
            rows[sizes + j] = row;
        }
        return NonNegativeLeastSquaresProblem.ofRows(rows, rightSide);
    }

    /** What the features of a typical model take of the measured seconds, times {@code root}. */
    private double[] shares(MeasuredSize size, double root) {
        double[] features = form.features(size.allocation());
        double[] row = new double[unknowns];
        double each = root / form.seconds(size.allocation(), size.stepsPerSecond());
        for (int j = 0; j < features.length; j++) {
            row[j] = each * features[j] * typical[j];
        }
        if (measured.tellPlacement()) {
            row[features.length] = each * PlacedSpeed.crossing(size.allocation(), size.nodes()) * secondsPerRatio;
        }
        return row;
    }
}
