package io.optimus.model.curve;

import io.optimus.model.curve.FamilySelection.CandidateCurve;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * The best curve of one shape through points: at a given rate, a weighted regression with bounds gives amplitude and limit; the
 * rate is searched on a grid of powers of two, then by Brent's method around the best.
 */
final class RateSearch implements FamilySelection.Search {
    /** The logarithm to base 2 of the slowest rate: a curve that falls by an eighth over all points looks like a line. */
    static final int SLOWEST = -3;

    /** The logarithm of the fastest rate: a curve that falls to a 4,096th is at its limit before the second point. */
    static final int FASTEST = 12;

    /**
     * The curve goes through losses up to 1, so that it starts not far above them. Without a bound, one high first point lets it
     * start at infinity.
     */
    private static final double LARGEST_AMPLITUDE = 2;

    /** A smaller amplitude is rounding: the curve is flat. */
    private static final double LEAST_AMPLITUDE = 1e-12;

    private static final int MAX_EVALUATIONS = 40;

    /** The accuracy of the logarithm of a rate; noise leaves far more open. */
    private static final double ACCURACY = 1e-7;

    private static final int EDGE_HALVINGS = 4;

    private final CurvePoints points;
    private final Shape shape;
    private final double[] fall;
    private CandidateCurve best;

    RateSearch(CurvePoints points, Shape shape) {
        this.points = points;
        this.shape = shape;
        this.fall = new double[points.size()];
        this.best = new CandidateCurve(shape, 1, 0, 0, Double.POSITIVE_INFINITY);
    }

    /** A search that begins at the rate of {@code known}. */
    static RateSearch around(CurvePoints points, CandidateCurve known) {
        RateSearch search = new RateSearch(points, known.shape());
        search.at(logarithm(known.rate()));
        return search;
    }

    /** Tries the rates of the grid, every {@code stride}th one. */
    RateSearch onGrid(int stride) {
        for (int log = SLOWEST; log <= FASTEST; log += stride) {
            at(log);
        }
        return this;
    }

    RateSearch refined() {
        return refined(MAX_EVALUATIONS);
    }

    /** Refines the best rate so far with at most {@code evaluations} regressions. */
    RateSearch refined(int evaluations) {
        if (best.meanSquare() > 0) {
            double start = logarithm(best.rate());
            try {
                new BrentOptimizer(ACCURACY, ACCURACY)
                        .optimize(
                                new MaxEval(evaluations),
                                new UnivariateObjectiveFunction(log -> at(log).meanSquare()),
                                GoalType.MINIMIZE,
                                new SearchInterval(Math.max(SLOWEST, start - 1), Math.min(FASTEST, start + 1), start));
            } catch (TooManyEvaluationsException enough) {
                // The best rate so far is kept, and is good enough if the search does not settle.
                return this;
            }
        }
        return this;
    }

    @Override
    public CandidateCurve best() {
        return best;
    }

    @Override
    public List<CandidateCurve> edges(double meanSquare) {
        List<CandidateCurve> edges = new ArrayList<>(2);
        if (best.meanSquare() <= meanSquare) {
            edges.add(edge(SLOWEST, meanSquare));
            edges.add(edge(FASTEST, meanSquare));
        }
        return edges;
    }

    private CandidateCurve edge(double outermost, double meanSquare) {
        double inside = logarithm(best.rate());
        double direction = Math.signum(outermost - inside);
        double outside = inside;
        CandidateCurve edge = best;
        while (outside == inside && outside != outermost) {
            outside = direction > 0 ? Math.min(outermost, inside + 1) : Math.max(outermost, inside - 1);
            CandidateCurve next = at(outside);
            if (next.meanSquare() <= meanSquare) {
                inside = outside;
                edge = next;
            }
        }
        for (int i = 0; i < EDGE_HALVINGS && inside != outside; i++) {
            double middle = (inside + outside) / 2;
            CandidateCurve next = at(middle);
            if (next.meanSquare() <= meanSquare) {
                inside = middle;
                edge = next;
            } else {
                outside = middle;
            }
        }
        return edge;
    }

    static double logarithm(double rate) {
        return Math.log(rate) / Math.log(2);
    }

    /**
     * The best curve with the rate 2^{@code log}: a regression with weights that sum to 1. The square is convex, so that
     * clamping to the bounds finds its minimum.
     */
    CandidateCurve at(double log) {
        double rate = Math.pow(2, log);
        double meanFall = 0;
        double meanLoss = 0;
        double falls = 0;
        double product = 0;
        points.falls(shape, rate, fall);
        for (int i = 0; i < fall.length; i++) {
            double weighted = points.weight(i) * fall[i];
            meanFall += weighted;
            meanLoss += points.weight(i) * points.loss(i);
            falls += weighted * fall[i];
            product += weighted * points.loss(i);
        }
        double variance = falls - meanFall * meanFall;
        double amplitude = variance > 0 ? bounded((product - meanFall * meanLoss) / variance) : 0;
        double limit = meanLoss - amplitude * meanFall;
        if (limit < 0) {
            limit = 0;
            amplitude = bounded(product / falls);
        }
        return remembered(new CandidateCurve(shape, rate, amplitude, limit, meanSquare(amplitude, limit)));
    }

    private static double bounded(double amplitude) {
        return amplitude < LEAST_AMPLITUDE ? 0 : Math.min(LARGEST_AMPLITUDE, amplitude);
    }

    private double meanSquare(double amplitude, double limit) {
        double squares = 0;
        for (int i = 0; i < fall.length; i++) {
            double residual = points.loss(i) - amplitude * fall[i] - limit;
            squares += points.weight(i) * residual * residual;
        }
        return squares;
    }

    private CandidateCurve remembered(CandidateCurve candidate) {
        if (candidate.meanSquare() < best.meanSquare()) {
            best = candidate;
        }
        return candidate;
    }
}
