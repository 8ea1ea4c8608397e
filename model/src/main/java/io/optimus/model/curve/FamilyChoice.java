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
 * <p>A curve is plausible if its mean square is at most s·(1 + t²/f), with f degrees of freedom and t the quantile of
 * Student's distribution for 90 %: the edges of each family's profile in its rate and exponent, and the chosen curve moved
 * up and down. One number at a time is moved, so that less is covered: some 80 % of predictions, as {@code
 * CurveIntervalTest} measures on curves of these families; fewer where the noise is small and the curve of no family.
 */
final class FamilyChoice {
    /** Of the normal distribution, two-sided 90 %. */
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

    FamilyChoice(CurvePoints points, List<CurveFamily> families) {
        this.points = points;
        for (CurveFamily family : families) {
            choices.add(Choice.of(family, points));
        }
        choices.sort(Comparator.comparingDouble(Choice::criterion));
    }

    Candidate chosen() {
        return choices.get(0).fit().best();
    }

    List<Candidate> plausible() {
        double size = points.effectiveSize(chosen().residuals(points));
        double freedom = Math.max(1, size - choices.get(0).parameters());
        double least = chosen().meanSquare();
        double largest = least * (1 + Math.pow(student(freedom), 2) / freedom);
        List<Candidate> plausible = new ArrayList<>();
        for (Choice choice : choices) {
            plausible.addAll(choice.fit().edges(largest));
        }
        double lift = Math.sqrt(largest - least);
        plausible.add(chosen().lifted(lift));
        plausible.add(chosen().lifted(-lift));
        return plausible;
    }

    /** The first terms of the expansion of Student's quantile by Cornish and Fisher: 3 % low at 2 degrees of freedom. */
    private static double student(double freedom) {
        double z = QUANTILE;
        double first = (z * z * z + z) / 4;
        double second = (5 * Math.pow(z, 5) + 16 * z * z * z + 3 * z) / 96;
        return z + first / freedom + second / freedom / freedom;
    }
}
