package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import io.optimus.model.speed.InformationMatrix.Covariance;
import java.util.Arrays;
import java.util.SortedSet;

/**
 * What is to be expected of a job's speed, from its first moment on: what is {@linkplain TypicalSpeed typical}, as far as
 * nothing that was measured speaks against it. So a job may begin on a large size, and what it grows to is measured as
 * well as what it would explore.
 *
 * <pre>minimise Σ_i weight_i/(σ² + e_i²) · ( Σ_j x_j·typical_j·feature_j(a_i) / seconds_i − 1 )² + Σ_j ( x_j − s )²/τ_j²  over x, s ≥ 0</pre>
 *
 * <p>with e_i the standard error of a measured size; typical_j the coefficients of a typical model, s how much slower this
 * one is in all, x_j in its coefficient j: the mean of Gaussian beliefs after the measurements. σ = 0.1: a speed is known to a
 * tenth, because the form misses it by that. τ_j = 1: a coefficient is what is typical, give or take as much again; τ_j = 5 for that of servers, which are next to free in a typical model. Where one node and
 * several were measured, what crosses between nodes is one coefficient more
 * (see {@link PlacedSpeed}), of which nothing is typical: s is 0 for it. The outcome is corrected by what was measured
 * ({@link MeasuredSpeed}).
 *
 * <p>The same beliefs say how far it may be off. With C the covariance of x, the inverse of the matrix of that minimum, and
 * z_j(a) the part of a step on a that coefficient j takes, the logarithm of seconds on a over seconds on b has
 *
 * <pre>variance = ( z(a) − z(b) ) · C · ( z(a) − z(b) )ᵗ · (1 − k²),  k = e^(−d)</pre>
 *
 * <p>to first order, d the distance from a to the nearest measured size: as far as a measurement corrects its neighbours, it
 * makes them sure.
 *
 * <p>Example: synchronous, 1 s a step measured on 1 ps + 1 worker: 0.83 s are expected on 4 + 1. With
 * 0.95 s measured on 2 + 1, where 0.88 s were expected, 0.90 s.
 */
public final class ExpectedSpeed {
    private static final double MISFIT = SpeedConfidence.EXPECTED_MISFIT;
    private static final double SPREAD = 1;

    /** The mean of the eight models: nothing is free to a policy that compares shares, so that no more is needed. */
    private static final double SERVERS = 0.001;

    /** A form that misses speeds by a tenth on up to 20 servers does not know better what one of them takes. */
    private static final double SERVERS_SPREAD = MISFIT / 20;

    /** Next to that of a measurement, 100, and of the spread, 1, of no account: so that there is a covariance. */
    private static final double HARDLY_ANYTHING = 1e-9;

    private final SpeedForm form;
    private final MeasuredSizes measured;
    private final SortedSet<Allocation> ran;
    /** Coefficients of a typical model that is about as fast as what was measured. */
    private final double[] typical;

    /** Of a typical transfer at the servers: in these the coefficient of what crosses between nodes is counted. */
    private final double secondsPerRatio;
    /** Those of the form, one of the placement where it can be told, and how much slower it is in all. */
    private final int unknowns;

    private final SpeedFunction function;
    private final Covariance covariance;

    /**
     * Of a job; before anything was measured, its function tells nothing but how many times as fast a size is as another.
     *
     * @param form of the job's functions
     * @param measured what ran, as {@link SpeedSamples#sizes()} gives it
     */
    public ExpectedSpeed(SpeedForm form, MeasuredSizes measured) {
        this.form = form;
        this.measured = measured;
        this.ran = measured.allocations();
        double seconds = TypicalSpeed.secondsOnOneOfEach(form, measured);
        this.typical = typical(form, seconds);
        this.secondsPerRatio = seconds * TypicalSpeed.PER_RATIO;
        this.unknowns = typical.length + (measured.tellPlacement() ? 1 : 0) + 1;
        int sizes = measured.sizes().size();
        double[][] rows = new double[sizes + unknowns - 1][];
        double[] rightSide = new double[rows.length];
        for (int i = 0; i < sizes; i++) {
            rows[i] = measurement(measured.sizes().get(i));
            rightSide[i] = sureness(measured.sizes().get(i));
        }
        for (int j = 0; j < unknowns - 1; j++) {
            rows[sizes + j] = belief(j);
        }
        this.function =
                measured.isEmpty() ? form.function(typical) : new MeasuredSpeed(fitted(rows, rightSide), measured);
        this.covariance = covariance(rows);
    }

    private static double[] typical(SpeedForm form, double seconds) {
        double[] coefficients = TypicalSpeed.coefficients(form, seconds);
        coefficients[coefficients.length - 1] = seconds * SERVERS;
        return coefficients;
    }

    /** Whether it is of exactly these measurements, of the same job. */
    public boolean isOf(MeasuredSizes sizes) {
        return measured.equals(sizes);
    }

    /** What ran. */
    public SortedSet<Allocation> ran() {
        return ran;
    }

    /** The expected function. */
    public SpeedFunction function() {
        return function;
    }

    /** One standard deviation of the logarithm of the seconds of a step on {@code size} over those on {@code other}. */
    public double deviation(Allocation size, Allocation other) {
        double[] between = shares(size);
        double[] of = shares(other);
        for (int j = 0; j < of.length; j++) {
            between[j] -= of[j];
        }
        double nearest = Double.POSITIVE_INFINITY;
        for (Allocation each : ran) {
            nearest = Math.min(nearest, MeasuredSpeed.distance(size, each));
        }
        return Math.sqrt(Math.max(0, covariance.between(between, between)) * -Math.expm1(-2 * nearest));
    }

    /** What each unknown takes of a step, on as few nodes as hold the size. */
    private double[] shares(Allocation size) {
        double[] shares = new double[unknowns];
        addShares(shares, size, 1 / form.seconds(size, function.stepsPerSecond(size)));
        return shares;
    }

    private void addShares(double[] row, Allocation size, double each) {
        double[] features = form.features(size);
        for (int j = 0; j < features.length; j++) {
            row[j] = each * features[j] * typical[j];
        }
    }

    /** The square root of the weight of a measurement in the sum. */
    private static double sureness(MeasuredSize size) {
        return Math.sqrt(size.weight() / (MISFIT * MISFIT + size.standardError() * size.standardError()));
    }

    /** What the features of a typical model take of the measured seconds, as sure as these are. */
    private double[] measurement(MeasuredSize size) {
        double[] row = new double[unknowns];
        double each = sureness(size) / form.seconds(size.allocation(), size.stepsPerSecond());
        addShares(row, size.allocation(), each);
        if (measured.tellPlacement()) {
            row[typical.length] = each * PlacedSpeed.crossing(size.allocation(), size.nodes()) * secondsPerRatio;
        }
        return row;
    }

    /** How far coefficient {@code j} is from what is typical. */
    private double[] belief(int j) {
        double[] row = new double[unknowns];
        double spread = j == typical.length - 1 ? SERVERS_SPREAD / SERVERS : SPREAD;
        row[j] = 1 / spread;
        row[unknowns - 1] = j < typical.length ? -1 / spread : 0;
        return row;
    }

    private SpeedFunction fitted(double[][] rows, double[] rightSide) {
        double[] times = new NonNegativeLeastSquaresSolver()
                .solve(NonNegativeLeastSquaresProblem.ofRows(rows, rightSide))
                .toArray();
        double[] coefficients = new double[typical.length];
        Arrays.setAll(coefficients, j -> times[j] * typical[j]);
        if (Arrays.stream(coefficients).sum() == 0) {
            // All that was measured is put down to what crosses between nodes: nothing tells what one node takes.
            return form.function(typical);
        }
        SpeedFunction together = form.function(coefficients);
        return measured.tellPlacement()
                ? new PlacedSpeed(
                        together, form, times[typical.length] * secondsPerRatio, measured.densestTasksPerNode())
                : together;
    }

    private Covariance covariance(double[][] rows) {
        double[] prior = new double[unknowns];
        Arrays.fill(prior, HARDLY_ANYTHING);
        InformationMatrix information = new InformationMatrix(prior);
        for (double[] row : rows) {
            information.add(row, 1);
        }
        return information.covariance();
    }
}
