package io.optimus.model.curve;

import io.optimus.model.curve.FamilySelection.CandidateCurve;
import java.util.ArrayList;
import java.util.List;

/**
 * The best power law through points: a few exponents on a grid of rates, then rate and exponent together by damped
 * Gauss-Newton steps.
 */
final class PowerLawSearch implements FamilySelection.Search {
    /** Exponents around 1, the inverse decay: a lower one hardly falls, a higher one looks like an exponential. */
    private static final double[] EXPONENTS = {0.25, 0.5, 2};

    /** The smallest exponent, as a logarithm to base 2. */
    private static final double LEAST_EXPONENT = -3;

    private static final double LARGEST_EXPONENT = 2;

    /** Three times as many as all but one search in some hundreds need: in a flat valley, steps are short. */
    private static final int MOST_STEPS = 60;

    /** A gain by a smaller part of the mean square ends the search: noise leaves far more. */
    private static final double ACCURACY = 1e-9;

    /** The longest step, in octaves; a longer one would be a guess. */
    private static final double LONGEST_STEP = 2;

    private static final double FIRST_DAMPING = 1e-2;
    private static final double DAMPING_FACTOR = 10;

    /** If not even a ten-thousandth of a step leads down, the search is at the minimum. */
    private static final double LARGEST_DAMPING = 1e4;

    /** A factor of the exponent; predictions of neighbouring exponents differ little. */
    private static final double EDGE_STEP = Math.sqrt(2);

    private static final int MOST_EDGE_STEPS = 6;
    private static final int EDGE_EVALUATIONS = 8;

    private final CurvePoints points;
    private CandidateCurve best;

    PowerLawSearch(CurvePoints points) {
        this.points = points;
        this.best =
                new RateSearch(points, new Shape.Power(EXPONENTS[0])).onGrid(2).best();
        for (int i = 1; i < EXPONENTS.length; i++) {
            remember(new RateSearch(points, new Shape.Power(EXPONENTS[i]))
                    .onGrid(2)
                    .best());
        }
        refine();
    }

    private void refine() {
        double damping = FIRST_DAMPING;
        Step step = new Step(points, best);
        for (int i = 0; i < MOST_STEPS && damping < LARGEST_DAMPING; i++) {
            double before = best.meanSquare();
            remember(after(step.ofRate(damping), step.ofExponent(damping)));
            double gain = before - best.meanSquare();
            if (gain == 0) {
                damping *= DAMPING_FACTOR;
            } else if (gain <= ACCURACY * before) {
                return;
            } else {
                damping /= DAMPING_FACTOR;
                step = new Step(points, best);
            }
        }
    }

    private CandidateCurve after(double stepOfRate, double stepOfExponent) {
        double exponent = RateSearch.logarithm(((Shape.Power) best.shape()).exponent());
        double newExponent = between(LEAST_EXPONENT, exponent + octaves(stepOfExponent), LARGEST_EXPONENT);
        double newRate = RateSearch.logarithm(best.rate()) + octaves(stepOfRate);
        return new RateSearch(points, new Shape.Power(Math.pow(2, newExponent)))
                .at(between(RateSearch.SLOWEST, newRate, RateSearch.FASTEST));
    }

    private static double octaves(double step) {
        return between(-LONGEST_STEP, RateSearch.logarithm(Math.E) * step, LONGEST_STEP);
    }

    private static double between(double least, double value, double most) {
        return Math.max(least, Math.min(most, value));
    }

    private void remember(CandidateCurve candidate) {
        if (candidate.meanSquare() < best.meanSquare()) {
            best = candidate;
        }
    }

    @Override
    public CandidateCurve best() {
        return best;
    }

    /** {@inheritDoc} They are the edges of the rate at the best exponent, and of the exponent with the best rate for each. */
    @Override
    public List<CandidateCurve> edges(double meanSquare) {
        List<CandidateCurve> edges = new ArrayList<>();
        if (best.meanSquare() <= meanSquare) {
            edges.addAll(RateSearch.around(points, best).edges(meanSquare));
            edges.add(edge(EDGE_STEP, meanSquare));
            edges.add(edge(1 / EDGE_STEP, meanSquare));
        }
        return edges;
    }

    private CandidateCurve edge(double factor, double meanSquare) {
        CandidateCurve edge = best;
        for (int i = 0; i < MOST_EDGE_STEPS; i++) {
            Shape next = new Shape.Power(((Shape.Power) edge.shape()).exponent() * factor);
            CandidateCurve moved = RateSearch.around(points, edge.ofShape(next))
                    .refined(EDGE_EVALUATIONS)
                    .best();
            if (moved.meanSquare() > meanSquare) {
                break;
            }
            edge = moved;
        }
        return edge;
    }

    /**
     * The step from a power law to one that fits the points better, in the logarithms of its rate and exponent, by the method
     * of Gauss and Newton, damped as Marquardt does. Amplitude and limit follow by regression (variable projection, Kaufman
     * 1975).
     *
     * <p>With base b = 1 + rate·step and fall f = b^−exponent, the curve changes by −amplitude·exponent·f·(1 − 1/b) per unit of
     * ln rate, and by −amplitude·exponent·f·ln b per unit of ln exponent. The part of both that amplitude and limit can explain
     * is taken out; a limit of 0 stays 0.
     */
    private static final class Step {
        private static final int RATE = 0;
        private static final int EXPONENT = 1;
        private static final int FALL = 2;
        private static final int MISSED = 3;
        private static final int COLUMNS = 4;

        private final double[] means = new double[COLUMNS];

        /** The means of the products of two columns, the later one first. */
        private final double[][] products = new double[COLUMNS][COLUMNS];

        /** The step from {@code law}, whose shape is a power. */
        Step(CurvePoints points, CandidateCurve law) {
            double exponent = ((Shape.Power) law.shape()).exponent();
            double[] row = new double[COLUMNS];
            for (int i = 0; i < points.size(); i++) {
                double base = 1 + law.rate() * points.step(i);
                double log = Math.log(base);
                double fall = Math.exp(-exponent * log);
                double change = -law.amplitude() * exponent * fall;
                row[RATE] = change * (1 - 1 / base);
                row[EXPONENT] = change * log;
                row[FALL] = fall;
                row[MISSED] = points.loss(i) - law.amplitude() * fall - law.limit();
                add(row, points.weight(i));
            }
            if (law.limit() > 0) {
                takeOutLimit();
            }
            takeOutAmplitude();
        }

        private void add(double[] row, double weight) {
            for (int i = 0; i < COLUMNS; i++) {
                means[i] += weight * row[i];
                for (int j = 0; j <= i; j++) {
                    products[i][j] += weight * row[i] * row[j];
                }
            }
        }

        private void takeOutLimit() {
            for (int i = 0; i < COLUMNS; i++) {
                for (int j = 0; j <= i; j++) {
                    products[i][j] -= means[i] * means[j];
                }
            }
        }

        private void takeOutAmplitude() {
            double rate = products[FALL][RATE] / products[FALL][FALL];
            double exponent = products[FALL][EXPONENT] / products[FALL][FALL];
            products[RATE][RATE] -= rate * products[FALL][RATE];
            products[EXPONENT][RATE] -= rate * products[FALL][EXPONENT];
            products[EXPONENT][EXPONENT] -= exponent * products[FALL][EXPONENT];
            products[MISSED][RATE] -= rate * products[MISSED][FALL];
            products[MISSED][EXPONENT] -= exponent * products[MISSED][FALL];
        }

        /** The change of ln rate; NaN if the points do not tell it from the exponent. */
        double ofRate(double damping) {
            return solved(RATE, EXPONENT, damping);
        }

        /** The change of ln exponent; NaN if the points do not tell it from the rate. */
        double ofExponent(double damping) {
            return solved(EXPONENT, RATE, damping);
        }

        /** Solves the two equations by Cramer's rule. */
        private double solved(int column, int other, double damping) {
            double both = products[EXPONENT][RATE];
            double damped = 1 + damping;
            double determinant = products[RATE][RATE] * damped * products[EXPONENT][EXPONENT] * damped - both * both;
            return (products[other][other] * damped * products[MISSED][column] - both * products[MISSED][other])
                    / determinant;
        }
    }
}
