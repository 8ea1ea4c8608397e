package io.optimus.model.curve;

import java.util.ArrayList;
import java.util.List;

/** The best power law through points: a few exponents on a grid of rates, then rate and exponent together by {@link PowerLawStep}s. */
final class PowerLawSearch implements FamilyFit {
    /** With 1, the inverse decay, between them; a lower one hardly falls, a higher one is an exponential to the eye. */
    private static final double[] EXPONENTS = {0.25, 0.5, 2};

    /** Logarithms to base 2. */
    private static final double LEAST_EXPONENT = -3;

    private static final double LARGEST_EXPONENT = 2;

    /** Three times what all but one in some hundreds need: in a flat valley, steps are short. */
    private static final int MOST_STEPS = 60;

    /** Part of the mean square: far below what noise leaves of it. */
    private static final double ACCURACY = 1e-9;

    /** Octaves; from further away, a step is a guess. */
    private static final double LONGEST_STEP = 2;

    private static final double FIRST_DAMPING = 1e-2;
    private static final double DAMPING_FACTOR = 10;

    /** Where no step of a ten-thousandth part leads down, the search is at the bottom. */
    private static final double LARGEST_DAMPING = 1e4;

    /** Of the exponent, as a factor; finer than what two of them differ by in prediction. */
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
        PowerLawStep step = new PowerLawStep(points, best);
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
                step = new PowerLawStep(points, best);
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

    /** {@inheritDoc} In the rate with the best exponent, and in the exponent with the best rate for each. */
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
}
