package io.optimus.model.throughput;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Useful progress of an all-reduce job whose batch follows its allocation (Pollux, section 3): throughput times
 * statistical efficiency, of the best of {@value #CANDIDATES} batches in equal ratios from the smallest to the largest
 * allowed; or of one given batch.
 *
 * <pre>goodput(N, K) = max over batches M of gain(M/M0) / T_iter(N, K, M)</pre>
 *
 * <p>Its steps are steps of the initial batch M0: a step of twice that batch counts as gain(2) of them, at most two. There
 * are no parameter servers; every worker is a replica.
 *
 * <p>Example: 1 s a step whatever the batch, M0 = 10, variance 3 and squared norm 1: with 20 samples 4/(3/2 + 1) = 1.6 steps/s,
 * with 40 samples 4/(3/4 + 1) = 2.3 steps/s.
 *
 * <p>Immutable; what was searched once is remembered. Safe for several threads: each cell of that memory is replaced
 * whole, and one that is missed is only searched again.
 */
public final class Goodput implements SpeedFunction {
    /** As many as Pollux tries. */
    private static final int CANDIDATES = 50;

    /** Cells to remember in: more than the sizes that one round asks of one job. A power of two. */
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
     * With the best batch for each size.
     *
     * @param workersPerNode how many workers a node holds, 1 or more: which node counts {@link #stepsPerSecond(Allocation)}
     *     means
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

    /** The same job with a total of {@code samples} on every size, 1 or more, as far as its limits allow. */
    public Goodput withFixedBatch(int samples) {
        if (samples < 1) {
            throw new IllegalArgumentException("A batch has 1 sample or more, got " + samples);
        }
        return new Goodput(throughput, noise, limits, OptionalInt.of(samples), workersPerNode);
    }

    /** The model of its steps. */
    public AllReduceThroughput throughput() {
        return throughput;
    }

    /** The noise of its gradients. */
    public GradientNoise noise() {
        return noise;
    }

    /** The batches that it may train with. */
    public BatchLimits limits() {
        return limits;
    }

    /** The batch of every size, where its owner fixed one. */
    public OptionalInt fixedBatch() {
        return fixedBatch;
    }

    /** How many workers a node holds, 1 or more. */
    public int workersPerNode() {
        return workersPerNode;
    }

    /**
     * What {@code replicas} on {@code nodes} train with; empty where there are more replicas than the limits have samples
     * for.
     *
     * @param nodes from 1 to {@code replicas}
     * @param replicas 1 or more
     */
    public Optional<BatchSplit> batch(int nodes, int replicas) {
        return found(nodes, replicas).batch();
    }

    /** On as few nodes as hold it; 0 where there are more workers than the limits have samples for. */
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
