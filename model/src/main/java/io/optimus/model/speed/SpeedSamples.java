package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was measured of a job's speed, one figure a size, in bounded memory whatever is reported.
 *
 * <p>Repeats of a size are averaged by the time that they were measured over; what is older than {@value
 * #MEMORY_SECONDS} s of measuring fades. When there are more sizes than are kept, the one that was measured longest ago
 * is forgotten. Samples that cannot be speeds are ignored and counted. Mutable; not safe for several threads.
 */
public final class SpeedSamples {
    /** Ten minutes: the interval of the paper's rounds; a speed that changed for good wins within two of them. */
    private static final double MEMORY_SECONDS = 600;

    /** More sizes than a greedy allocation of a large job passes through; as many as the protocol's history carries. */
    private static final int DEFAULT_SIZES = 64;

    /** Slower or faster than this, in steps per second, is no training: it bounds the numbers that reach the fit. */
    private static final double FASTEST = 1e9;

    private static final double SLOWEST = 1e-9;

    private record Measured(double stepsPerSecond, double seconds, long order) {}

    private final int maxSizes;
    private final SortedMap<Allocation, Measured> bySize = new TreeMap<>();
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

    /** Takes {@code sample} in and returns true, or ignores and counts it where it cannot be a speed. */
    public boolean add(SpeedSample sample) {
        Allocation size = sample.allocation();
        double speed = sample.stepsPerSecond();
        boolean usable = size.parameterServers() > 0
                && size.workers() > 0
                && speed >= SLOWEST
                && speed <= FASTEST
                && sample.seconds() > 0
                && sample.seconds() < Double.POSITIVE_INFINITY;
        if (!usable) {
            ignored++;
            return false;
        }
        Measured before = bySize.getOrDefault(size, new Measured(0, 0, 0));
        double seconds = Math.min(MEMORY_SECONDS, sample.seconds());
        double together = before.seconds() + seconds;
        double share = seconds / together;
        double merged = before.stepsPerSecond() * (1 - share) + speed * share;
        bySize.put(size, new Measured(merged, Math.min(MEMORY_SECONDS, together), ++taken));
        if (bySize.size() > maxSizes) {
            forgetOldest();
        }
        return true;
    }

    private void forgetOldest() {
        Allocation oldest = Collections.min(
                        bySize.entrySet(), Map.Entry.comparingByValue((a, b) -> Long.compare(a.order(), b.order())))
                .getKey();
        bySize.remove(oldest);
    }

    /** Steps per second of each measured size, in order of the sizes; a copy. */
    public SortedMap<Allocation, Double> speeds() {
        SortedMap<Allocation, Double> speeds = new TreeMap<>();
        bySize.forEach((size, measured) -> speeds.put(size, measured.stepsPerSecond()));
        return Collections.unmodifiableSortedMap(speeds);
    }

    /** One merged sample a size, as a history to start from again, the one measured longest ago first. */
    public List<SpeedSample> merged() {
        List<Map.Entry<Allocation, Measured>> inOrder = new ArrayList<>(bySize.entrySet());
        inOrder.sort(Map.Entry.comparingByValue((a, b) -> Long.compare(a.order(), b.order())));
        return inOrder.stream()
                .map(e -> new SpeedSample(
                        e.getKey(), e.getValue().stepsPerSecond(), e.getValue().seconds()))
                .toList();
    }

    /** How many samples were taken in, repeats included. */
    public long taken() {
        return taken;
    }

    /** How many samples were ignored. */
    public long ignored() {
        return ignored;
    }
}
