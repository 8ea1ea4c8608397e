package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measured speed of a job, one mean for each size and number of nodes, in bounded memory.
 *
 * <p>Repeated measurements of a size are averaged, each weighted by its duration; those older than {@value #MEMORY_SECONDS} s
 * of measuring fade. A size that was not measured again loses weight against those that were: half of it with every {@value
 * #HALF_LIFE_SECONDS} s in which others were measured. So a fit follows a job whose speed drifts, and still knows its earlier
 * sizes. When there are more sizes than are kept, the one that was measured longest ago is forgotten. Samples that cannot be
 * speeds are ignored and counted. Mutable; not safe for several threads.
 */
public final class SpeedSamples {
    /** Ten minutes, the interval of the paper's rounds: a speed that changed for good outweighs the old one within two of them. */
    private static final double MEMORY_SECONDS = 600;

    /** Six rounds of the paper: within such a time a job that shares a node may end, or data may move. */
    private static final double HALF_LIFE_SECONDS = 3600;

    /** In half-lives; an old measurement keeps some weight, since nothing else may be known of a role. */
    private static final double OLDEST = 6;

    /** More sizes than a greedy allocation tries for a large job; the protocol's history carries as many. */
    private static final int DEFAULT_SIZES = 64;

    /** In steps per second; no training is faster or slower, and the bounds keep absurd numbers from the fit. */
    private static final double FASTEST = 1e9;

    private static final double SLOWEST = 1e-9;

    private record SizeOnNodes(Allocation allocation, int nodes) {}

    private record DatedMean(RunningMean mean, double atSeconds) {}

    private final int maxSizes;

    /** The means are in order of their last measurement, the oldest first. */
    private final Map<SizeOnNodes, DatedMean> bySize = new LinkedHashMap<>();

    /** The total of measured seconds. */
    private double nowSeconds;

    private long taken;
    private long ignored;

    /** Keeps {@value #DEFAULT_SIZES} sizes. */
    public SpeedSamples() {
        this(DEFAULT_SIZES);
    }

    /** Keeps {@code maxSizes} sizes, 1 or more. */
    public SpeedSamples(int maxSizes) {
        if (maxSizes < 1) {
            throw new IllegalArgumentException("At least 1 size must be kept, got " + maxSizes);
        }
        this.maxSizes = maxSizes;
    }

    /** Adds {@code sample} and returns true, or ignores and counts it and returns false if it cannot be a speed. */
    public boolean add(SpeedSample sample) {
        if (!isPlausible(sample)) {
            ignored++;
            return false;
        }
        SizeOnNodes size = new SizeOnNodes(sample.allocation(), sample.nodes());
        DatedMean before = bySize.remove(size);
        RunningMean mean = before == null
                ? RunningMean.of(sample.stepsPerSecond(), sample.seconds())
                : before.mean().with(sample.stepsPerSecond(), sample.seconds());
        nowSeconds += Math.min(MEMORY_SECONDS, sample.seconds());
        bySize.put(size, new DatedMean(mean, nowSeconds));
        taken++;
        if (bySize.size() > maxSizes) {
            Iterator<SizeOnNodes> oldest = bySize.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        return true;
    }

    private static boolean isPlausible(SpeedSample sample) {
        Allocation size = sample.allocation();
        double speed = sample.stepsPerSecond();
        return Math.min(size.parameterServers(), size.workers()) > 0
                && sample.nodes() >= 1
                && sample.nodes() <= size.tasks()
                && speed >= SLOWEST
                && speed <= FASTEST
                && sample.seconds() > 0
                && sample.seconds() < Double.POSITIVE_INFINITY;
    }

    /** The measured sizes; a copy. */
    public MeasuredSizes sizes() {
        return new MeasuredSizes(bySize.entrySet().stream()
                .map(entry -> measured(entry.getKey(), entry.getValue()))
                .toList());
    }

    private MeasuredSize measured(SizeOnNodes size, DatedMean measured) {
        double halfLives = Math.min(OLDEST, (nowSeconds - measured.atSeconds()) / HALF_LIFE_SECONDS);
        return new MeasuredSize(
                size.allocation(),
                size.nodes(),
                measured.mean().value(),
                measured.mean().standardError(),
                Math.pow(2, -halfLives));
    }

    /** The number of samples that were added, repeats included. */
    public long taken() {
        return taken;
    }

    public long ignored() {
        return ignored;
    }

    /**
     * The mean of repeated measurements, each weighted by its duration; old ones fade.
     *
     * <p>Example: 10 over 30 s and 20 over 10 s have the mean 12.5.
     *
     * @param value the mean
     * @param seconds the measured seconds that it rests on, up to {@value #MEMORY_SECONDS}
     * @param variance of single measurements, relative to the mean
     * @param concentration Σ of squared shares: one over the number of equal measurements that the mean is worth
     */
    private record RunningMean(double value, double seconds, double variance, double concentration) {
        /** 5 %, as running jobs vary from measurement to measurement: the variance before there are repeats. */
        private static final double EXPECTED_VARIANCE = 0.05 * 0.05;

        /** The mean of a first measurement. */
        static RunningMean of(double value, double seconds) {
            return new RunningMean(value, Math.min(MEMORY_SECONDS, seconds), EXPECTED_VARIANCE, 1);
        }

        /** The mean with another measurement of {@code other} over {@code otherSeconds}. */
        RunningMean with(double other, double otherSeconds) {
            double counted = Math.min(MEMORY_SECONDS, otherSeconds);
            double together = seconds + counted;
            double share = counted / together;
            double merged = value * (1 - share) + other * share;
            double relative = (other - value) / merged;
            return new RunningMean(
                    merged,
                    Math.min(MEMORY_SECONDS, together),
                    (1 - share) * (variance + share * relative * relative),
                    (1 - share) * (1 - share) * concentration + share * share);
        }

        /** The standard error of the mean, relative to it. */
        double standardError() {
            return Math.sqrt(variance * concentration);
        }
    }
}
