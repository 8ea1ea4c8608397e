package io.optimus.model.curve;

import io.optimus.model.curve.CurveFit.Diverging;
import io.optimus.model.curve.CurveFit.Fitted;
import io.optimus.model.curve.FamilySelection.CandidateCurve;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.Preprocessing;
import io.optimus.model.numerics.Medians;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Fits a loss curve to the losses that a job reported (Optimus, section 3.1, and beyond).
 *
 * <ol>
 *   <li>It takes the points since the last announced bend or, if they are too few, those before it.
 *   <li>A loss that has risen above where it began is an outcome of its own: the training diverges.
 *   <li>It drops the points before the last bend that the losses show, see {@link BendSearch}.
 *   <li>It replaces outliers, averages the points down to {@value #MAX_POINTS}, and divides losses by the largest.
 *   <li>It fits the best curve of each family, with more weight on late points, and {@link FamilySelection} chooses among them.
 *   <li>It fits falls to each of several limits to the latest losses, see {@link LatestFalls}.
 * </ol>
 *
 * <p>Optimus itself knows no bends, no divergence and only the inverse decay, see {@link PaperCurveFit}.
 *
 * <p>Stateless and deterministic; time and memory are bounded.
 */
public final class LossCurveFitter {
    /** With three times the fewest, a curve could be fitted to each of the thirds that have weights of their own. */
    private static final int YOUNG_POINTS = 3 * LossHistory.FEWEST_POINTS;

    /** More points do not make a three-parameter curve better, only slower. */
    private static final int MAX_POINTS = 128;

    /**
     * The standard deviations of the three thirds are 1, 1/2 and 1/4. The authors' stronger weights (1, 1/4, 1/16) are for
     * curves that bend or are of no family. The search for bends and the choice of families mostly handle these; for the rest,
     * noise asks for more even weights. On seeded curves of all families 2 predicts better than 4 and 1.
     */
    private static final double RECENCY = 2;

    /** As many as there may be bends, of which each takes a search. */
    private static final int MOST_DROPS = 8;

    /** The parts of a curve whose means are compared to see whether it diverges. */
    private static final int DIVERGENCE_PARTS = 8;

    /**
     * With flat noise, the last part exceeds the first by this many usual differences in 1 of 300 cases (2.7 standard
     * deviations).
     */
    private static final double DIVERGENCE_DIFFERENCES = 4;

    private final boolean ofThePaper;

    /** Fits all families to the losses since their last bend. */
    public LossCurveFitter() {
        this(false);
    }

    private LossCurveFitter(boolean ofThePaper) {
        this.ofThePaper = ofThePaper;
    }

    /** Fits as Optimus's section 3.1 does, see {@link PaperCurveFit}: for comparison. */
    public static LossCurveFitter ofThePaper() {
        return new LossCurveFitter(true);
    }

    public CurveFit fit(LossHistory history) {
        if (history.taken() == 0 && history.ignored() >= LossHistory.FEWEST_POINTS) {
            return new CurveFit.Impossible("none of the " + history.ignored()
                    + " reported losses is a finite number at a later step than the one before");
        }
        if (history.lost() >= LossHistory.FEWEST_POINTS) {
            return new CurveFit.Impossible(
                    "none of the last " + history.lost() + " reported losses is a finite number");
        }
        LossHistory.Series series = history.sinceBend();
        boolean stale = series.size() < LossHistory.FEWEST_POINTS
                && history.beforeBend().size() >= LossHistory.FEWEST_POINTS;
        if (stale) {
            series = history.beforeBend();
        }
        if (series.size() < LossHistory.FEWEST_POINTS) {
            return new CurveFit.NotYet(series.size(), LossHistory.FEWEST_POINTS);
        }
        double[] steps = series.steps();
        double[] losses = series.losses();
        if (ofThePaper) {
            PaperCurveFit paper = new PaperCurveFit(points(steps, losses, PaperCurveFit.RECENCY));
            return paper.fitted(stale || steps.length < YOUNG_POINTS);
        }
        Optional<Diverging> diverging = diverging(steps, Preprocessing.withoutOutliers(losses));
        return diverging.isPresent() ? diverging.get() : sinceBend(steps, losses, stale, MOST_DROPS);
    }

    private static CurvePoints points(double[] steps, double[] losses, double recency) {
        return new CurvePoints(
                Preprocessing.averagedDown(steps, MAX_POINTS),
                Preprocessing.averagedDown(Preprocessing.withoutOutliers(losses), MAX_POINTS),
                recency);
    }

    /**
     * Whether training has lost all its progress: of the means of eight parts of the curve the last is the largest, and exceeds
     * the first by more than {@value #DIVERGENCE_DIFFERENCES} times the usual difference of neighbouring parts.
     *
     * <p>Example: the parts 1.0, 0.6, 0.5, 0.5, 0.5, 0.6, 0.9, 3.0 usually differ by 0.1; 3.0 − 1.0 is more than 0.4, so that it
     * diverges. A jump after a restart seldom stays above the first part, and neither does the noise of a plateau.
     */
    private static Optional<Diverging> diverging(double[] steps, double[] losses) {
        double[] parts = Preprocessing.averagedDown(losses, DIVERGENCE_PARTS);
        double[] differences = new double[parts.length - 1];
        Arrays.setAll(differences, i -> Math.abs(parts[i + 1] - parts[i]));
        double usual = Medians.upper(differences);
        double last = parts[parts.length - 1];
        boolean largest = Arrays.stream(parts, 0, parts.length - 1).allMatch(part -> part < last);
        if (!largest || last - parts[0] <= DIVERGENCE_DIFFERENCES * usual) {
            return Optional.empty();
        }
        double step = steps[steps.length - 1];
        String figures = String.format(
                Locale.ROOT,
                "the loss rises: %.4g at the beginning, %.4g until step %d",
                parts[0],
                last,
                Math.round(step));
        return Optional.of(new Diverging(new ExponentialDecay(0, 1, last, step), figures));
    }

    /**
     * The curve since the last bend.
     *
     * @param drops how many drops at the end may be left out, each with a search for a bend before it
     */
    private static Fitted sinceBend(double[] steps, double[] losses, boolean stale, int drops) {
        int bend = drops == 0 ? 0 : BendSearch.last(steps, losses);
        double[] stepsAfter = Arrays.copyOfRange(steps, bend, steps.length);
        double[] lossesAfter = Arrays.copyOfRange(losses, bend, losses.length);
        if (stepsAfter.length >= LossHistory.FEWEST_POINTS) {
            OptionalDouble found = bend > 0 ? OptionalDouble.of(steps[bend]) : OptionalDouble.empty();
            return selected(stepsAfter, lossesAfter, found, stale);
        }
        if (bend < LossHistory.FEWEST_POINTS) {
            return selected(steps, losses, OptionalDouble.empty(), stale);
        }
        Fitted before = sinceBend(Arrays.copyOf(steps, bend), Arrays.copyOf(losses, bend), true, drops - 1);
        return dropped(before, stepsAfter, lossesAfter);
    }

    /** The curve before a drop, at the level of the few points after it; a loss that rose is expected to fall again. */
    private static Fitted dropped(Fitted before, double[] stepsAfter, double[] lossesAfter) {
        double expected = Arrays.stream(stepsAfter).map(before.curve()::lossAt).sum();
        double seen = Arrays.stream(lossesAfter).sum();
        double factor = seen > 0 && seen < expected ? seen / expected : 1;
        return new Fitted(
                before.curve().times(factor),
                before.plausible().stream().map(curve -> curve.times(factor)).toList(),
                before.latest().stream()
                        .map(each -> new WeightedCurve(each.curve().times(factor), each.likelihood()))
                        .toList(),
                before.residual(),
                before.points(),
                before.bend(),
                true);
    }

    private static Fitted selected(double[] steps, double[] losses, OptionalDouble bend, boolean stale) {
        CurvePoints points = points(steps, losses, RECENCY);
        FamilySelection selection = new FamilySelection(points);
        CandidateCurve best = selection.best();
        return new Fitted(
                best.curve(points),
                selection.plausible().stream().map(each -> each.curve(points)).toList(),
                LatestFalls.through(steps, LocalNoise.withoutSpikesOfSkewedNoise(losses)),
                Math.sqrt(best.meanSquare()),
                points.size(),
                bend,
                stale || points.size() < YOUNG_POINTS);
    }
}
