package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured of a job's speed, one figure a size and number of nodes, in bounded memory whatever is reported.
 *
 * <p>Repeats of a size are averaged by the time that they were measured over; what is older than {@value
 * RunningMean#MEMORY_SECONDS} s of measuring fades. A size that was not measured again loses weight against those that
 * were: half of it with every {@value #HALF_LIFE_SECONDS} s that others were measured, so that a fit follows a job whose
 * speed drifts and still knows what it saw once. When there are more sizes than are kept, the one that was measured
 * longest ago is forgotten. Samples that cannot be speeds are ignored and counted. Mutable; not safe for several threads.
 */
public final class SpeedSamples {
    /** Six rounds of the paper: a neighbour may leave, or data move, within such a time. */
    private static final double HALF_LIFE_SECONDS = 3600;

    /** In half-lives: still a fact, where nothing else is known of a role. */
    private static final double OLDEST = 6;

    /** More sizes than a greedy allocation of a large job passes through; as many as the protocol's history carries. */
    private static final int DEFAULT_SIZES = 64;

    /** Slower or faster than this, in steps per second, is no training: it bounds the numbers that reach the fit. */
    private static final double FASTEST = 1e9;

    private static final double SLOWEST = 1e-9;

    private record Place(Allocation allocation, int nodes) {}

    private record Measured(RunningMean mean, double atSeconds) {}

    private final int maxSizes;

    /** In order of the last measurement, the one longest ago first. */
    private final Map<Place, Measured> byPlace = new LinkedHashMap<>();

    /** How long was measured in all. */
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

    /** Takes {@code sample} in and returns true, or ignores and counts it where it cannot be a speed. */
    public boolean add(SpeedSample sample) {
        if (!isPlausible(sample)) {
            ignored++;
            return false;
        }
        Place place = new Place(sample.allocation(), sample.nodes());
        Measured before = byPlace.remove(place);
        RunningMean mean = before == null
                ? RunningMean.of(sample.stepsPerSecond(), sample.seconds())
                : before.mean().with(sample.stepsPerSecond(), sample.seconds());
        nowSeconds += Math.min(RunningMean.MEMORY_SECONDS, sample.seconds());
        byPlace.put(place, new Measured(mean, nowSeconds));
        taken++;
        if (byPlace.size() > maxSizes) {
            Iterator<Place> oldest = byPlace.keySet().iterator();
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
        return new MeasuredSizes(byPlace.entrySet().stream()
                .map(entry -> measured(entry.getKey(), entry.getValue()))
                .toList());
    }

    private MeasuredSize measured(Place place, Measured measured) {
        double halfLives = Math.min(OLDEST, (nowSeconds - measured.atSeconds()) / HALF_LIFE_SECONDS);
        return new MeasuredSize(
                place.allocation(),
                place.nodes(),
                measured.mean().value(),
                measured.mean().standardError(),
                Math.pow(2, -halfLives));
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
