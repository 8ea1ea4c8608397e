package io.optimus.model.throughput;

import io.optimus.model.numerics.DifferentiableFunction;
import java.util.List;

/**
 * The objective that a fit minimises (Pollux, section 4.1, with the weights of its authors' code):
 *
 * <pre>
 *   RMS of ln T_grad fitted/measured  +  RMS of ln T_step fitted/measured
 *   + 1e-3·(g − 1)²  +  1e-2·( (b_n/a_n)² + (b_r/a_r)² )
 * </pre>
 *
 * <p>The variables are (ln a, ln b, ln a_n, b_n/a_n, ln a_r, b_r/a_r, g): so the errors are nearly linear, the priors are squares,
 * and all variables have a similar size, whether a step takes microseconds or minutes.
 */
final class ThroughputObjective implements DifferentiableFunction {
    static final int FIXED = 0;
    static final int PER_SAMPLE = 1;
    static final int ACROSS = 2;
    static final int GROWTH_ACROSS = 3;
    static final int WITHIN = 4;
    static final int GROWTH_WITHIN = 5;
    static final int OVERLAP = 6;
    static final int VARIABLES = 7;

    /** Pulls towards no overlap, where the other parameters are easier to find. */
    private static final double OVERLAP_PRIOR = 1e-3;

    /** Pulls towards synchronisation that does not slow down with replicas: the model is optimistic about what was not observed. */
    private static final double GROWTH_PRIOR = 1e-2;

    /** Smooths the root near an error of 0, where a descent would oscillate; far below any measured error. */
    private static final double BLUNT = 1e-3;

    private final List<ThroughputObservation> observations;
    private final double[] logAccumulated;
    private final double[] logStep;

    ThroughputObjective(List<ThroughputObservation> observations) {
        this.observations = observations;
        this.logAccumulated = observations.stream()
                .mapToDouble(observation -> Math.log(observation.accumulatedStepSeconds()))
                .toArray();
        this.logStep = observations.stream()
                .mapToDouble(observation -> Math.log(observation.stepSeconds()))
                .toArray();
    }

    /** The model that these variables stand for. */
    static AllReduceThroughput model(double[] x) {
        double acrossNodes = Math.exp(x[ACROSS]);
        double withinNode = Math.exp(x[WITHIN]);
        return new AllReduceThroughput(
                Math.exp(x[FIXED]),
                Math.exp(x[PER_SAMPLE]),
                acrossNodes,
                acrossNodes * x[GROWTH_ACROSS],
                withinNode,
                withinNode * x[GROWTH_WITHIN],
                x[OVERLAP]);
    }

    @Override
    public double valueAndGradient(double[] x, double[] gradient) {
        AllReduceThroughput model = model(x);
        double[] slopeOfAccumulated = new double[VARIABLES];
        double[] slopeOfStep = new double[VARIABLES];
        double squaresOfAccumulated = 0;
        double squaresOfStep = 0;
        LogStep predicted = new LogStep(model);
        for (int i = 0; i < logStep.length; i++) {
            predicted.at(observations.get(i));
            double missAccumulated = predicted.logGradient - logAccumulated[i];
            double missStep = predicted.logStep - logStep[i];
            squaresOfAccumulated += missAccumulated * missAccumulated;
            squaresOfStep += missStep * missStep;
            predicted.addGradientSlopes(slopeOfAccumulated, missAccumulated);
            predicted.addStepSlopes(slopeOfStep, missStep);
        }
        double rootAccumulated = Math.sqrt(squaresOfAccumulated / logStep.length + BLUNT * BLUNT);
        double rootStep = Math.sqrt(squaresOfStep / logStep.length + BLUNT * BLUNT);
        for (int j = 0; j < VARIABLES; j++) {
            gradient[j] = slopeOfRoot(slopeOfAccumulated[j], rootAccumulated) + slopeOfRoot(slopeOfStep[j], rootStep);
        }
        return rootAccumulated + rootStep + priors(x, gradient);
    }

    /** The slope of a root mean square, from the {@code slope} of half its sum of squares. */
    private double slopeOfRoot(double slope, double root) {
        return slope / (root * logStep.length);
    }

    private static double priors(double[] x, double[] gradient) {
        double beyond = x[OVERLAP] - 1;
        gradient[OVERLAP] += 2 * OVERLAP_PRIOR * beyond;
        return OVERLAP_PRIOR * beyond * beyond
                + growthPrior(x, gradient, GROWTH_ACROSS)
                + growthPrior(x, gradient, GROWTH_WITHIN);
    }

    private static double growthPrior(double[] x, double[] gradient, int growth) {
        gradient[growth] += 2 * GROWTH_PRIOR * x[growth];
        return GROWTH_PRIOR * x[growth] * x[growth];
    }

    /** The logarithms of the predicted seconds of one observation, and their derivatives. */
    private static final class LogStep {
        private final AllReduceThroughput model;
        private ThroughputObservation observation = new ThroughputObservation(1, 1, 1, 1, 1);
        private double gradientSeconds;
        private double synchronizationSeconds;
        private double logGradient;
        private double logStep;

        /** The part of T_grad^g in T_grad^g + T_sync^g. */
        private double gradientShare;

        private double overlapSlope;

        LogStep(AllReduceThroughput model) {
            this.model = model;
        }

        void at(ThroughputObservation observed) {
            observation = observed;
            gradientSeconds = model.gradientSeconds(observed.atomicBatch());
            synchronizationSeconds = model.synchronizationSeconds(observed.nodes(), observed.replicas());
            logGradient = Math.log(gradientSeconds);
            if (synchronizationSeconds == 0) {
                logStep = logGradient;
                gradientShare = 1;
                overlapSlope = 0;
                return;
            }
            // ln T_step = ln longer + ln(1 + e^(−g·d)) / g, with d the distance of the logarithms.
            double logSynchronization = Math.log(synchronizationSeconds);
            double distance = Math.abs(logGradient - logSynchronization);
            double power = Math.exp(-model.overlap() * distance);
            double logSum = Math.log1p(power);
            logStep = Math.max(logGradient, logSynchronization) + logSum / model.overlap();
            double shareOfLonger = 1 / (1 + power);
            gradientShare = logGradient >= logSynchronization ? shareOfLonger : 1 - shareOfLonger;
            overlapSlope = -(logSum / model.overlap() + distance * (1 - shareOfLonger)) / model.overlap();
        }

        void addGradientSlopes(double[] slopes, double weight) {
            slopes[FIXED] += weight * model.secondsFixed() / gradientSeconds;
            slopes[PER_SAMPLE] += weight * model.secondsPerSample() * observation.atomicBatch() / gradientSeconds;
        }

        void addStepSlopes(double[] slopes, double weight) {
            addGradientSlopes(slopes, weight * gradientShare);
            slopes[OVERLAP] += weight * overlapSlope;
            if (synchronizationSeconds == 0) {
                return;
            }
            double perLog = weight * (1 - gradientShare);
            int more = observation.replicas() - 2;
            // ln T_sync = ln a + ln(1 + b/a·(K − 2)).
            if (observation.nodes() > 1) {
                slopes[ACROSS] += perLog;
                slopes[GROWTH_ACROSS] += perLog * more * model.secondsAcrossNodes() / synchronizationSeconds;
            } else {
                slopes[WITHIN] += perLog;
                slopes[GROWTH_WITHIN] += perLog * more * model.secondsWithinNode() / synchronizationSeconds;
            }
        }
    }
}
