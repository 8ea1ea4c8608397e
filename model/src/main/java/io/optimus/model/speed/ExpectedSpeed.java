package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import io.optimus.model.speed.InformationMatrix.Covariance;
import java.util.Arrays;
import java.util.SortedSet;

/**
 * The expected speed of a job, from its first moment on: the {@linkplain TypicalSpeed typical} one, corrected by measurements.
 * So a job may begin on a large size, and the sizes that it grows to are measured instead of explored ones.
 *
 * <pre>minimise Σ_i weight_i/(σ² + e_i²) · ( Σ_j x_j·typical_j·feature_j(a_i) / seconds_i − 1 )² + Σ_j ( x_j − s )²/τ_j²  over x, s ≥ 0</pre>
 *
 * <p>with e_i the standard error of a measured size, typical_j the coefficients of a typical model, s the factor by which the
 * job is slower than this model in all, and x_j that of its coefficient j: the means of Gaussian beliefs after the
 * measurements. σ = 0.1: a speed is known to a tenth, because the form misses it by that. τ_j = 1: a coefficient differs from
 * the typical one by as much as that itself; τ_j = 5 for that of servers, which take hardly any time in a typical model. If
 * sizes on one node and on several were measured, the transfer between nodes has a coefficient too (see {@link PlacedSpeed});
 * it has no typical value, so that s is 0 for it. The result is corrected by the measurements ({@link MeasuredSpeed}).
 *
 * <p>The same beliefs say how far the speed may be off. With C the covariance of x, the inverse of the matrix of that minimum, and
 * z_j(a) the part of a step on a that coefficient j takes, the logarithm of seconds on a over seconds on b has
 *
 * <pre>variance = ( z(a) − z(b) ) · C · ( z(a) − z(b) )ᵗ · (1 − k²),  k = e^(−d)</pre>
 *
 * <p>to first order, with d the distance from a to the nearest measured size: a measurement makes its neighbours more certain
 * in proportion to its correction.
 *
 * <p>Example: a synchronous job takes 1 s a step on 1 ps + 1 worker, so that 0.83 s are expected on 4 + 1. Then 0.95 s are measured
 * on 2 + 1, where 0.88 s were expected; now 0.90 s are expected on 4 + 1.
 */
public final class ExpectedSpeed {
    private static final double MISFIT = SpeedConfidence.EXPECTED_MISFIT;
    private static final double SPREAD = 1;

    /** The mean of the eight models; {@link TypicalSpeed} needs more, but here a policy weighs the cost of a server. */
    private static final double SERVERS = 0.001;

    /** A form that misses speeds by a tenth on up to 20 servers cannot know better what one of them takes. */
    private static final double SERVERS_SPREAD = MISFIT / 20;

    /** Negligible beside the weights of a measurement, 100, and of the spread, 1; it makes the matrix invertible. */
    private static final double HARDLY_ANYTHING = 1e-9;

    private final SpeedForm form;
    private final MeasuredSizes measured;
    private final SortedSet<Allocation> ran;
    /** The coefficients of a typical model that is about as fast as the measurements. */
    private final double[] typical;

    /** The seconds of a typical transfer at the servers: the unit of the coefficient of transfers between nodes. */
    private final double secondsPerRatio;
    /** The number of unknowns: the coefficients of the form, that of the placement if it is known, and s. */
    private final int unknowns;

    private final SpeedFunction function;
    private final Covariance covariance;

    /**
     * The expected speed of a job; before the first measurement, only the ratios of its speeds have a meaning.
     *
     * @param form the form of the job's functions
     * @param measured the measured sizes, as {@link SpeedSamples#sizes()} gives them
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

    /** Whether it rests on exactly these measurements of the same job. */
    public boolean isOf(MeasuredSizes sizes) {
        return measured.equals(sizes);
    }

    public SortedSet<Allocation> ran() {
        return ran;
    }

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

    /** The part of a step that each unknown takes, on as few nodes as hold the size. */
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

    /** The row of a measurement: the parts of the measured seconds that the features of a typical model take, weighed by its sureness. */
    private double[] measurement(MeasuredSize size) {
        double[] row = new double[unknowns];
        double each = sureness(size) / form.seconds(size.allocation(), size.stepsPerSecond());
        addShares(row, size.allocation(), each);
        if (measured.tellPlacement()) {
            row[typical.length] = each * PlacedSpeed.crossing(size.allocation(), size.nodes()) * secondsPerRatio;
        }
        return row;
    }

    /** The row of the belief that coefficient {@code j} is typical. */
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
            // The fit explains all measured time by transfers between nodes, so that nothing is known of one node.
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
