package io.optimus.model.curve;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.analysis.MultivariateFunction;
import org.apache.commons.math3.exception.TooManyEvaluationsException;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;

/** The best power law through points: a few exponents, then rate and exponent together by the simplex of Nelder and Mead. */
final class PowerLawSearch implements FamilyFit {
    /** With 1, the inverse decay, between them; a lower one hardly falls, a higher one is an exponential to the eye. */
    private static final double[] EXPONENTS = {0.25, 0.5, 2};

    /** Logarithms to base 2. */
    private static final double LEAST_EXPONENT = -3;

    private static final double LARGEST_EXPONENT = 2;

    private static final int MAX_EVALUATIONS = 60;
    private static final double ACCURACY = 1e-9;

    /** Of the exponent, as a factor; finer than what two of them differ by in prediction. */
    private static final double EDGE_STEP = Math.sqrt(2);

    private static final int MOST_EDGE_STEPS = 6;
    private static final int EDGE_EVALUATIONS = 8;

    private final CurvePoints points;
    private Candidate best;

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
        double exponent = ((Shape.Power) best.shape()).exponent();
        MultivariateFunction objective = logs -> {
            double log = Math.max(LEAST_EXPONENT, Math.min(LARGEST_EXPONENT, logs[1]));
            double rate = Math.max(RateSearch.SLOWEST, Math.min(RateSearch.FASTEST, logs[0]));
            Candidate next = new RateSearch(points, new Shape.Power(Math.pow(2, log))).at(rate);
            remember(next);
            return next.meanSquare();
        };
        try {
            new SimplexOptimizer(ACCURACY, ACCURACY * best.meanSquare())
                    .optimize(
                            new MaxEval(MAX_EVALUATIONS),
                            new ObjectiveFunction(objective),
                            GoalType.MINIMIZE,
                            new InitialGuess(
                                    new double[] {RateSearch.logarithm(best.rate()), RateSearch.logarithm(exponent)}),
                            new NelderMeadSimplex(new double[] {1, 0.5}));
        } catch (TooManyEvaluationsException enough) {
            return;
        }
    }

    private void remember(Candidate candidate) {
        if (candidate.meanSquare() < best.meanSquare()) {
            best = candidate;
        }
    }

    @Override
    public Candidate best() {
        return best;
    }

    /** {@inheritDoc} In the rate with the best exponent, and in the exponent with the best rate for each. */
    @Override
    public List<Candidate> edges(double meanSquare) {
        List<Candidate> edges = new ArrayList<>();
        if (best.meanSquare() <= meanSquare) {
            edges.addAll(RateSearch.around(points, best).edges(meanSquare));
            edges.add(edge(EDGE_STEP, meanSquare));
            edges.add(edge(1 / EDGE_STEP, meanSquare));
        }
        return edges;
    }

    private Candidate edge(double factor, double meanSquare) {
        Candidate edge = best;
        for (int i = 0; i < MOST_EDGE_STEPS; i++) {
            Shape next = new Shape.Power(((Shape.Power) edge.shape()).exponent() * factor);
            Candidate moved = RateSearch.around(points, edge.ofShape(next))
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
