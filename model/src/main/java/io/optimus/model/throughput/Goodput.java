package io.optimus.model.throughput;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The useful progress of an all-reduce job whose batch adapts to its allocation (Pollux, section 3): throughput times statistical
 * efficiency, with the best of {@value #CANDIDATES} batches in equal ratios from the smallest to the largest allowed, or with one
 * given batch.
 *
 * <pre>goodput(N, K) = max over batches M of gain(M/M0) / T_iter(N, K, M)</pre>
 *
 * <p>Its steps are steps of the initial batch M0: a step of twice that batch counts as gain(2) of them, at most two. There
 * are no parameter servers; every worker is a replica.
 *
 * <p>Example: a step takes 1 s with any batch, M0 = 10, the variance is 3 and the squared norm 1. With 20 samples the goodput is
 * 4/(3/2 + 1) = 1.6 steps/s, with 40 samples 4/(3/4 + 1) = 2.3 steps/s.
 *
 * <p>Immutable except for the results of searches, which are cached. Safe for several threads: each cached result is replaced
 * as a whole, and a missing one is only searched again.
 */
public final class Goodput implements SpeedFunction {
    /** The number of batches that Pollux tries. */
    private static final int CANDIDATES = 50;

    /** The number of results to cache: more than the sizes that a round tries for one job; a power of two. */
    private static final int CELLS = 256;

    /** Spreads (nodes, replicas) of up to 64 replicas over the cells. */
    private static final int NODES_APART = 67;

    private record Found(int nodes, int replicas, Optional<BatchSplit> batch, double stepsPerSecond) {}

    private final AllReduceThroughput throughput;
    private final GradientNoise noise;
    private final BatchLimits limits;
    private final OptionalInt fixedBatch;
    private final int workersPerNode;
    private final @Nullable Found[] cells = new @Nullable Found[CELLS];

    /**
     * The goodput with the best batch for each size.
     *
     * @param workersPerNode how many workers a node holds, 1 or more; {@link #stepsPerSecond(Allocation)} assumes the fewest nodes
     */
    public Goodput(AllReduceThroughput throughput, GradientNoise noise, BatchLimits limits, int workersPerNode) {
        this(throughput, noise, limits, OptionalInt.empty(), workersPerNode);
    }

    private Goodput(
            AllReduceThroughput throughput,
            GradientNoise noise,
            BatchLimits limits,
            OptionalInt fixedBatch,
            int workersPerNode) {
        if (workersPerNode < 1) {
            throw new IllegalArgumentException("A node holds 1 worker or more, got " + workersPerNode);
        }
        this.throughput = throughput;
        this.noise = noise;
        this.limits = limits;
        this.fixedBatch = fixedBatch;
        this.workersPerNode = workersPerNode;
    }

    /** The goodput of the same job with a total batch of {@code samples}, 1 or more, on every size, as far as its limits allow. */
    public Goodput withFixedBatch(int samples) {
        if (samples < 1) {
            throw new IllegalArgumentException("A batch needs 1 sample or more, got " + samples);
        }
        return new Goodput(throughput, noise, limits, OptionalInt.of(samples), workersPerNode);
    }

    public AllReduceThroughput throughput() {
        return throughput;
    }

    public GradientNoise noise() {
        return noise;
    }

    public BatchLimits limits() {
        return limits;
    }

    /**
     * The batch that {@code replicas} on {@code nodes} train with; empty if the limits do not have a sample for each replica.
     *
     * @param nodes from 1 to {@code replicas}
     * @param replicas 1 or more
     */
    public Optional<BatchSplit> batch(int nodes, int replicas) {
        return found(nodes, replicas).batch();
    }

    /** {@inheritDoc} It is 0 if the limits do not have a sample for each worker. */
    @Override
    public double stepsPerSecond(Allocation allocation) {
        int workers = allocation.workers();
        return stepsPerSecond(allocation, workers / workersPerNode + (workers % workersPerNode == 0 ? 0 : 1));
    }

    @Override
    public double stepsPerSecond(Allocation allocation, int nodes) {
        return allocation.workers() == 0
                ? 0
                : found(nodes, allocation.workers()).stepsPerSecond();
    }

    private Found found(int nodes, int replicas) {
        int cell = (nodes * NODES_APART + replicas) & (CELLS - 1);
        Found known = cells[cell];
        if (known == null || known.nodes() != nodes || known.replicas() != replicas) {
            known = fixedBatch.isPresent()
                    ? of(nodes, replicas, limits.split(fixedBatch.getAsInt(), replicas))
                    : best(nodes, replicas);
            cells[cell] = known;
        }
        return known;
    }

    private Found best(int nodes, int replicas) {
        Found best = of(nodes, replicas, Optional.empty());
        if (replicas > limits.maxReplicas()) {
            return best;
        }
        Optional<BatchSplit> before = Optional.empty();
        double smallest = limits.smallestBatch(replicas);
        double ratio = Math.pow(limits.maxBatch() / smallest, 1.0 / (CANDIDATES - 1));
        double total = smallest;
        for (int i = 0; i < CANDIDATES; i++, total *= ratio) {
            Optional<BatchSplit> split = limits.split(total, replicas);
            if (!split.equals(before)) {
                Found candidate = of(nodes, replicas, split);
                best = candidate.stepsPerSecond() > best.stepsPerSecond() ? candidate : best;
                before = split;
            }
        }
        return best;
    }

    private Found of(int nodes, int replicas, Optional<BatchSplit> split) {
        double speed = 0;
        if (split.isPresent()) {
            double scale = (double) split.get().totalBatch(replicas) / limits.initialBatch();
            speed = noise.gain(scale) / throughput.updateSeconds(nodes, replicas, split.get());
        }
        return new Found(nodes, replicas, split, speed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Goodput goodput
                && throughput.equals(goodput.throughput)
                && noise.equals(goodput.noise)
                && limits.equals(goodput.limits)
                && fixedBatch.equals(goodput.fixedBatch)
                && workersPerNode == goodput.workersPerNode;
    }

    @Override
    public int hashCode() {
        return Objects.hash(throughput, noise, limits, fixedBatch, workersPerNode);
    }

    @Override
    public String toString() {
        return "Goodput[" + throughput + ", " + noise + ", " + limits + ", "
                + (fixedBatch.isPresent() ? "batch of " + fixedBatch.getAsInt() : "best batch") + ", "
                + workersPerNode + " workers a node]";
    }
}
