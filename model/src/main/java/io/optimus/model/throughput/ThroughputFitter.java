package io.optimus.model.throughput;

import static io.optimus.model.throughput.ThroughputObjective.ACROSS;
import static io.optimus.model.throughput.ThroughputObjective.FIXED;
import static io.optimus.model.throughput.ThroughputObjective.GROWTH_ACROSS;
import static io.optimus.model.throughput.ThroughputObjective.GROWTH_WITHIN;
import static io.optimus.model.throughput.ThroughputObjective.PER_SAMPLE;
import static io.optimus.model.throughput.ThroughputObjective.WITHIN;

import io.optimus.model.numerics.BoundedMinimum;
import io.optimus.model.numerics.BoundedProblem;
import io.optimus.model.numerics.ProjectedQuasiNewton;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Fits the seven parameters of an all-reduce job's step (Pollux, section 4.1): a bounded descent on the logarithmic errors of
 * T_grad and T_step together with weak priors.
 *
 * <p>Parameters that the observations say nothing about are pinned, so that every job has a model from its first step on. The
 * model is optimistic: with one batch size, half of a step is assumed to be fixed; synchronisation that was not observed costs
 * nothing, but across nodes it costs a tenth more than within one.
 *
 * <p>Example: one observation, 1 replica with a batch of 10 and 0.2 s a step: a = 0.1, b = 0.01, no synchronisation; 2
 * replicas with 10 each are predicted to take 0.2 s too.
 *
 * <p>Stateless: the same observations give the same fit.
 */
public final class ThroughputFitter {
    /** The logarithm of 1e-8 s, which stands for no time, as in the authors' code. */
    private static final double LEAST = Math.log(1e-8);

    /** This exceeds any plausible observation. */
    private static final double MOST = Math.log(1e9);

    /** This exceeds what the prior allows. */
    private static final double MOST_GROWTH = 100;

    private static final double MOST_OVERLAP = 10;

    /** The start of the authors' code: 0.1 s fixed and 0.01 s per sample or replica, for all three parts. */
    private static final double[] START = {Math.log(0.1), Math.log(0.01), Math.log(0.1), 0.1, Math.log(0.1), 0.1, 1.001
    };

    /** The descent starts at {@link #START} for steps from here to {@link #LONG_SECONDS}; for others it is shifted by the same factor. */
    private static final double SHORT_SECONDS = 0.01;

    private static final double LONG_SECONDS = 10;

    /** Synchronisation across nodes is slower than within one. */
    private static final double ACROSS_OVER_WITHIN = 1.1;

    /** Fits take 20 to 60 iterations. */
    private static final int MAX_ITERATIONS = 200;

    private final ProjectedQuasiNewton minimizer = new ProjectedQuasiNewton(MAX_ITERATIONS);

    /** Fits a model to {@code observations}; empty if there are none, or if some are not plausible. */
    public Optional<ThroughputFit> fit(List<ThroughputObservation> observations) {
        if (observations.isEmpty() || !observations.stream().allMatch(ThroughputObservation::isPlausible)) {
            return Optional.empty();
        }
        double[] lower = {LEAST, LEAST, LEAST, 0, LEAST, 0, 1};
        double[] upper = {MOST, MOST, MOST, MOST_GROWTH, MOST, MOST_GROWTH, MOST_OVERLAP};
        pin(observations, lower, upper);
        BoundedMinimum minimum = minimizer.minimize(
                new BoundedProblem(new ThroughputObjective(observations), lower, upper), start(observations));
        AllReduceThroughput throughput = ThroughputObjective.model(minimum.point());
        if (!sawAcrossNodes(observations)) {
            throughput = acrossAtLeastWithin(throughput);
        }
        return Optional.of(new ThroughputFit(
                throughput,
                minimum.value(),
                relativeError(throughput, observations),
                observations.size(),
                minimum.iterations()));
    }

    private static double[] start(List<ThroughputObservation> observations) {
        double usual = observations.stream()
                .mapToDouble(seen -> Math.log(seen.stepSeconds()))
                .average()
                .orElseThrow();
        double away = usual - Math.max(Math.log(SHORT_SECONDS), Math.min(Math.log(LONG_SECONDS), usual));
        double[] start = START.clone();
        for (int logarithm : new int[] {FIXED, PER_SAMPLE, ACROSS, WITHIN}) {
            start[logarithm] += away;
        }
        return start;
    }

    private static void pin(List<ThroughputObservation> observations, double[] lower, double[] upper) {
        if (observations.stream()
                        .mapToInt(ThroughputObservation::atomicBatch)
                        .distinct()
                        .count()
                == 1) {
            double half = observations.stream()
                            .mapToDouble(ThroughputObservation::accumulatedStepSeconds)
                            .average()
                            .orElseThrow()
                    / 2;
            pin(FIXED, Math.log(half), lower, upper);
        }
        if (!sawAcrossNodes(observations)) {
            pin(ACROSS, LEAST, lower, upper);
            pin(GROWTH_ACROSS, 0, lower, upper);
        }
        if (!saw(observations, seen -> seen.nodes() == 1 && seen.replicas() > 1)) {
            pin(WITHIN, LEAST, lower, upper);
            pin(GROWTH_WITHIN, 0, lower, upper);
        }
        if (!saw(observations, seen -> seen.replicas() > 2)) {
            pin(GROWTH_ACROSS, 0, lower, upper);
            pin(GROWTH_WITHIN, 0, lower, upper);
        }
    }

    private static void pin(int variable, double value, double[] lower, double[] upper) {
        lower[variable] = value;
        upper[variable] = value;
    }

    private static boolean sawAcrossNodes(List<ThroughputObservation> observations) {
        return saw(observations, seen -> seen.nodes() > 1);
    }

    private static boolean saw(List<ThroughputObservation> observations, Predicate<ThroughputObservation> such) {
        return observations.stream().anyMatch(such);
    }

    private static AllReduceThroughput acrossAtLeastWithin(AllReduceThroughput fitted) {
        return new AllReduceThroughput(
                fitted.secondsFixed(),
                fitted.secondsPerSample(),
                Math.max(fitted.secondsAcrossNodes(), ACROSS_OVER_WITHIN * fitted.secondsWithinNode()),
                Math.max(
                        fitted.secondsPerReplicaAcrossNodes(),
                        ACROSS_OVER_WITHIN * fitted.secondsPerReplicaWithinNode()),
                fitted.secondsWithinNode(),
                fitted.secondsPerReplicaWithinNode(),
                fitted.overlap());
    }

    private static double relativeError(AllReduceThroughput fitted, List<ThroughputObservation> observations) {
        return observations.stream()
                .mapToDouble(seen -> Math.abs(
                        fitted.stepSeconds(seen.nodes(), seen.replicas(), seen.atomicBatch()) / seen.stepSeconds() - 1))
                .average()
                .orElseThrow();
    }
}
