package io.optimus.model.curve;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Selects among the best curves of the three families, and finds which other curves the points leave open.
 *
 * <p>The criterion is Akaike's, corrected for few points (Hurvich and Tsai 1989): with n points, weighted mean square s, and k
 * fitted numbers, the variance of the noise among them,
 *
 * <pre>AICc = n·ln s + 2·k·n / (n − k − 1)</pre>
 *
 * <p>The family with the least AICc wins, but the inverse decay loses only to one that is less by {@value #NOTEWORTHY}. The
 * criterion estimates the error of predictions. BIC looks for the true family, which no loss curve has. Example: with 24 points
 * a power law (k = 5) costs 13.3 and an inverse decay (k = 4) 10.1; with the {@value #NOTEWORTHY}, the power law wins if its
 * n·ln s is less by 9.2, so its mean square by 32 %, 1 − e^(−9.2/24).
 *
 * <p>A curve is plausible unless a likelihood-ratio test rejects it at 5 % (Wilks 1938): with f degrees of freedom, if
 *
 * <pre>f·ln(mean square / s) ≤ χ², the 95 % quantile for as many degrees as the curve has parameters, 7.8 for 3</pre>
 *
 * <p>The plausible curves that are returned are those at the edges of each family's profile in rate and exponent, and the
 * selected one moved up and down. {@code CurveIntervalTest} measures how often they contain the truth.
 */
final class FamilySelection {
    /** The one-sided 95 % quantile of the normal distribution. */
    private static final double QUANTILE = 1.645;

    /** A model with a criterion worse by more has considerably less support (Burnham and Anderson 2002, section 2.6: 4 to 7). */
    private static final double NOTEWORTHY = 6;

    /** The mean square that rounding leaves of an exact fit; losses are 1 at most. */
    private static final double EXACT = 1e-16;

    private final CurvePoints points;
    private final List<Option> options;

    /**
     * A curve through normalised points, amplitude · shape(rate · step) + limit, and how well it fits them.
     *
     * @param shape how it falls
     * @param rate per normalised step, above 0
     * @param amplitude 0 or more
     * @param limit 0 or more
     * @param meanSquare weighted mean square of its residuals
     */
    record CandidateCurve(Shape shape, double rate, double amplitude, double limit, double meanSquare) {
        /** The same curve in the job's own units. */
        LossCurve curve(CurvePoints points) {
            return shape.curve(this, points);
        }

        /** The same curve, higher or lower by {@code by}; its limit stays at 0 or more. */
        CandidateCurve lifted(double by) {
            return new CandidateCurve(shape, rate, amplitude, Math.max(0, limit + by), meanSquare);
        }

        /** A curve of another shape with the same rate; how well it fits is not known. */
        CandidateCurve ofShape(Shape other) {
            return new CandidateCurve(other, rate, amplitude, limit, Double.POSITIVE_INFINITY);
        }

        double[] residuals(CurvePoints points) {
            double[] residuals = new double[points.size()];
            for (int i = 0; i < residuals.length; i++) {
                residuals[i] = points.loss(i) - (amplitude * shape.at(rate * points.step(i)) + limit);
            }
            return residuals;
        }
    }

    interface Search {
        CandidateCurve best();

        /** The outermost curves with a weighted mean square of at most {@code meanSquare}; none if the best has more. */
        List<CandidateCurve> edges(double meanSquare);
    }

    private record Option(Search search, int parameters, double criterion) {
        static Option of(Search search, int parameters, double handicap, int points) {
            double n = points;
            double k = parameters + 1;
            double fewPoints = n > k + 1 ? 2 * k * n / (n - k - 1) : Double.POSITIVE_INFINITY;
            double fit = n * Math.log(Math.max(EXACT, search.best().meanSquare()));
            return new Option(search, parameters, fit + fewPoints + handicap);
        }
    }

    FamilySelection(CurvePoints points) {
        this.points = points;
        int n = points.size();
        Search inverse = new RateSearch(points, new Shape.Inverse()).onGrid(1).refined();
        Search exponential =
                new RateSearch(points, new Shape.Exponential()).onGrid(1).refined();
        Search power = new PowerLawSearch(points);
        // Amplitude, rate and limit; a power law has an exponent too.
        this.options = List.of(
                        Option.of(inverse, 3, 0, n),
                        Option.of(exponential, 3, NOTEWORTHY, n),
                        Option.of(power, 4, NOTEWORTHY, n))
                .stream()
                .sorted(Comparator.comparingDouble(Option::criterion))
                .toList();
    }

    CandidateCurve best() {
        return options.get(0).search().best();
    }

    /** Curves at the edges of what the points leave open. */
    List<CandidateCurve> plausible() {
        double size = points.effectiveSize(best().residuals(points));
        int parameters = options.get(0).parameters();
        double freedom = Math.max(1, size - parameters);
        double least = best().meanSquare();
        double largest = least * Math.exp(chiSquare(parameters) / freedom);
        List<CandidateCurve> plausible = new ArrayList<>();
        for (Option option : options) {
            plausible.addAll(option.search().edges(largest));
        }
        double lift = Math.sqrt(largest - least);
        plausible.add(best().lifted(lift));
        plausible.add(best().lifted(-lift));
        return plausible;
    }

    /** The 95 % quantile of χ², within half a percent (Wilson and Hilferty 1931). */
    private static double chiSquare(int degrees) {
        double variance = 2.0 / (9 * degrees);
        return degrees * Math.pow(1 - variance + QUANTILE * Math.sqrt(variance), 3);
    }
}
