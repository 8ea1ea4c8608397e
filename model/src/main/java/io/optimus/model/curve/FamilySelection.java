package io.optimus.model.curve;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses among the families' best curves, and says which others the points leave open.
 *
 * <p>The criterion is Akaike's, corrected for few points (Hurvich and Tsai 1989): with n points, weighted mean square s and
 * k numbers fitted, the noise's variance among them,
 *
 * <pre>AICc = n·ln s + 2·k·n / (n − k − 1)</pre>
 *
 * <p>the least is chosen, the inverse decay where no other is less by {@value #NOTEWORTHY}. It estimates the error of
 * predictions, where BIC looks for the family that is true: no loss curve is truly any of them. Example: with 24 points a
 * power law (k = 5) costs 13.3 and an inverse decay (k = 4) 10.1; with the {@value #NOTEWORTHY}, n·ln s of the power law has to
 * be less by 9.2: its mean square by 32 %, 1 − e^(−9.2/24).
 *
 * <p>A curve is plausible unless its likelihood is so much less that it is to be rejected at 5 % (Wilks 1938): with f degrees
 * of freedom, if
 *
 * <pre>f·ln(mean square / s) ≤ χ², the 95 % quantile for as many degrees as numbers were fitted to the curve, 7.8 of 3</pre>
 *
 * <p>Of these curves, those are told that are at the edges of each family's profile in its rate and exponent, and the chosen one moved up and
 * down. {@code CurveIntervalTest} measures how often they hold the truth.
 */
final class FamilySelection {
    /** Of the normal distribution, one-sided 95 %. */
    private static final double QUANTILE = 1.645;

    /** Of the criterion: what is worse by more has considerably less support (Burnham and Anderson 2002, section 2.6: 4 to 7). */
    private static final double NOTEWORTHY = 6;

    /** What rounding leaves of an exact fit: losses are 1 at most. */
    private static final double EXACT = 1e-16;

    private final CurvePoints points;
    private final List<Choice> choices = new ArrayList<>();

    private record Choice(FamilyFit fit, int parameters, double criterion) {
        static Choice of(CurveFamily family, CurvePoints points) {
            FamilyFit fit = family.fit(points);
            double n = points.size();
            double k = family.parameters() + 1;
            double fewPoints = n > k + 1 ? 2 * k * n / (n - k - 1) : Double.POSITIVE_INFINITY;
            double handicap = family == CurveFamily.INVERSE_DECAY ? 0 : NOTEWORTHY;
            return new Choice(
                    fit,
                    family.parameters(),
                    n * Math.log(Math.max(EXACT, fit.best().meanSquare())) + fewPoints + handicap);
        }
    }

    FamilySelection(CurvePoints points, List<CurveFamily> families) {
        this.points = points;
        for (CurveFamily family : families) {
            choices.add(Choice.of(family, points));
        }
        choices.sort(Comparator.comparingDouble(Choice::criterion));
    }

    CandidateCurve chosen() {
        return choices.get(0).fit().best();
    }

    List<CandidateCurve> plausible() {
        double size = points.effectiveSize(chosen().residuals(points));
        int parameters = choices.get(0).parameters();
        double freedom = Math.max(1, size - parameters);
        double least = chosen().meanSquare();
        double largest = least * Math.exp(chiSquare(parameters) / freedom);
        List<CandidateCurve> plausible = new ArrayList<>();
        for (Choice choice : choices) {
            plausible.addAll(choice.fit().edges(largest));
        }
        double lift = Math.sqrt(largest - least);
        plausible.add(chosen().lifted(lift));
        plausible.add(chosen().lifted(-lift));
        return plausible;
    }

    /** Its 95 % quantile, within half a percent (Wilson and Hilferty 1931). */
    private static double chiSquare(int degrees) {
        double variance = 2.0 / (9 * degrees);
        return degrees * Math.pow(1 - variance + QUANTILE * Math.sqrt(variance), 3);
    }
}
