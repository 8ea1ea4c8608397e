package io.optimus.model.curve;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * The best curve of one shape through points: with a given rate, amplitude and limit are a weighted regression with a
 * bound on either; the rate is searched, on a grid of powers of two, then by Brent's method around the best.
 */
final class RateSearch implements FamilyFit {
    /** A curve that falls by an eighth of its amplitude over all points is a line to the eye. */
    static final int SLOWEST = -3;

    /** One that falls to a 4,096th is at its limit before the second point. */
    static final int FASTEST = 12;

    /**
     * The curve goes through losses up to 1, so that it starts not far above: without a bound one high first point makes it
     * start at infinity.
     */
    private static final double LARGEST_AMPLITUDE = 2;

    /** Less is rounding: the curve is flat. */
    private static final double LEAST_AMPLITUDE = 1e-12;

    private static final int MAX_EVALUATIONS = 40;

    /** Of the logarithm of a rate: far below what noise leaves of it. */
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

    /** A search that begins where {@code known} is. */
    static RateSearch around(CurvePoints points, CandidateCurve known) {
        RateSearch search = new RateSearch(points, known.shape());
        search.at(logarithm(known.rate()));
        return search;
    }

    /** The best on the grid. */
    RateSearch onGrid(int stride) {
        for (int log = SLOWEST; log <= FASTEST; log += stride) {
            at(log);
        }
        return this;
    }

    /** The best around the best so far. */
    RateSearch refined() {
        return refined(MAX_EVALUATIONS);
    }

    /** The best around the best so far that so many curves show. */
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
                // The best that was seen is remembered: good enough where the search does not settle.
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

    /** Regression with weights that sum to 1; the bounds are on a convex square, so that clamping finds its least. */
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
