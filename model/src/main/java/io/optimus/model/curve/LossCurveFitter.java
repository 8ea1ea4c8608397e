package io.optimus.model.curve;

import io.optimus.model.curve.CurveFit.Fitted;
import io.optimus.model.losses.BoundedSeries;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.Preprocessing;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Fits a loss curve to what a job reported (Optimus, section 3.1, and beyond).
 *
 * <ol>
 *   <li>points since the last announced bend; where they are too few, those before it
 *   <li>a loss that has risen above where it began is an outcome of its own, see {@link Divergence}
 *   <li>points since the last bend that the losses show, see {@link BendSearch}
 *   <li>outliers replaced
 *   <li>averaged down to {@value #MAX_POINTS} points and divided by the largest loss
 *   <li>the best curve of each family, late points weighing more, and of these the one that {@link FamilySelection} prefers
 * </ol>
 *
 * <p>Stateless, deterministic, and bounded.
 */
public final class LossCurveFitter {
    /** Three parameters, and as many points again to see whether they hold, and two for the ends of the outlier window. */
    public static final int FEWEST_POINTS = 8;

    /** With three times the fewest, each third that weights differ by could be fitted alone. */
    private static final int YOUNG_POINTS = 3 * FEWEST_POINTS;

    /** More points do not make a three-parameter curve better, only slower. */
    private static final int MAX_POINTS = 128;

    /** Standard deviations of 1, 1/4 and 1/16 in the first, middle and last third, as in the authors' code. */
    private static final double RECENCY_OF_THE_PAPER = 4;

    /**
     * Of 1, 1/2 and 1/4. What the authors' stronger weights are for, curves that are of no family or bend, is mostly done by
     * the choice of families and the search for bends; noise then speaks for more even ones. On seeded curves of all
     * families 2 predicts better than 4 and 1.
     */
    private static final double RECENCY = 2;

    private final List<CurveFamily> families;
    private final boolean bends;
    private final double recency;

    /** Of all families, since the last bend. */
    public LossCurveFitter() {
        this(List.of(CurveFamily.values()), true, RECENCY);
    }

    private LossCurveFitter(List<CurveFamily> families, boolean bends, double recency) {
        this.families = families;
        this.bends = bends;
        this.recency = recency;
    }

    /** Optimus's own: the inverse decay, and no bends but announced ones. For comparisons. */
    public static LossCurveFitter ofThePaper() {
        return new LossCurveFitter(List.of(CurveFamily.INVERSE_DECAY), false, RECENCY_OF_THE_PAPER);
    }

    /** Fits the curve of {@code history}. */
    public CurveFit fit(LossHistory history) {
        if (history.taken() == 0 && history.ignored() >= FEWEST_POINTS) {
            return new CurveFit.Impossible("none of the " + history.ignored()
                    + " reported losses is a finite number at a step after the one before");
        }
        if (history.lost() >= FEWEST_POINTS) {
            return new CurveFit.Impossible(
                    "none of the last " + history.lost() + " reported losses is a finite number");
        }
        BoundedSeries series = history.sinceBend();
        boolean stale = series.size() < FEWEST_POINTS && history.beforeBend().size() >= FEWEST_POINTS;
        if (stale) {
            series = history.beforeBend();
        }
        if (series.size() >= FEWEST_POINTS) {
            return fit(series.steps(), series.losses(), stale);
        }
        return new CurveFit.NotYet(series.size(), FEWEST_POINTS);
    }

    private CurveFit fit(double[] steps, double[] losses, boolean stale) {
        Optional<CurveFit.Diverging> diverging =
                bends ? Divergence.of(steps, Preprocessing.withoutOutliers(losses)) : Optional.empty();
        return diverging.isPresent() ? diverging.get() : sinceBend(steps, losses, stale);
    }

    private Fitted sinceBend(double[] steps, double[] losses, boolean stale) {
        int bend = bends ? BendSearch.last(steps, losses) : 0;
        double[] stepsAfter = Arrays.copyOfRange(steps, bend, steps.length);
        double[] lossesAfter = Arrays.copyOfRange(losses, bend, losses.length);
        if (stepsAfter.length >= FEWEST_POINTS) {
            OptionalDouble found = bend > 0 ? OptionalDouble.of(steps[bend]) : OptionalDouble.empty();
            return chosen(stepsAfter, lossesAfter, found, stale);
        }
        if (bend < FEWEST_POINTS) {
            return chosen(steps, losses, OptionalDouble.empty(), stale);
        }
        Fitted before = sinceBend(Arrays.copyOf(steps, bend), Arrays.copyOf(losses, bend), true);
        return dropped(before, stepsAfter, lossesAfter);
    }

    /** The curve before a drop, on the level of the few points after it; a loss that rose is expected to come down again. */
    private static Fitted dropped(Fitted before, double[] stepsAfter, double[] lossesAfter) {
        double expected = Arrays.stream(stepsAfter).map(before.curve()::lossAt).sum();
        double seen = Arrays.stream(lossesAfter).sum();
        double factor = seen > 0 && seen < expected ? seen / expected : 1;
        return new Fitted(
                before.curve().times(factor),
                before.plausible().stream().map(curve -> curve.times(factor)).toList(),
                before.residual(),
                before.points(),
                before.bend(),
                true);
    }

    private Fitted chosen(double[] steps, double[] losses, OptionalDouble bend, boolean stale) {
        CurvePoints points = new CurvePoints(
                Preprocessing.averagedDown(steps, MAX_POINTS),
                Preprocessing.averagedDown(Preprocessing.withoutOutliers(losses), MAX_POINTS),
                recency);
        FamilySelection choice = new FamilySelection(points, families);
        CandidateCurve chosen = choice.chosen();
        return new Fitted(
                chosen.shape().curve(chosen, points),
                choice.plausible().stream()
                        .map(each -> each.shape().curve(each, points))
                        .toList(),
                Math.sqrt(chosen.meanSquare()),
                points.size(),
                bend,
                stale || points.size() < YOUNG_POINTS);
    }
}
