package io.optimus.sim.trace.pollux;

import io.optimus.model.losses.LossPoint;
import io.optimus.model.throughput.AllReduceThroughput;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import io.optimus.model.throughput.Goodput;
import io.optimus.model.throughput.GoodputFitter;
import io.optimus.model.throughput.GoodputObservations;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.model.throughput.ThroughputProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job's own measurements while it trains: step times, gradient noise and losses, all without error. The throughput
 * model is fitted again after a new placement or batch.
 */
final class SelfObservation {
    private final BatchLimits batches;
    private final int workersPerNode;
    private final ThroughputProfile profile = new ThroughputProfile();
    private final GoodputFitter fitter = new GoodputFitter();
    private List<ThroughputObservation> steps = List.of();
    private boolean unfitted;
    private final Set<Size> sizes = new HashSet<>();
    private boolean newSize;
    private @Nullable GradientNoise noise;
    private final List<LossPoint> losses = new ArrayList<>();

    private record Size(int nodes, int replicas) {}

    SelfObservation(BatchLimits batches, int workersPerNode) {
        this.batches = batches;
        this.workersPerNode = workersPerNode;
    }

    void stepped(int nodes, int replicas, BatchSplit split, StepTime time, GradientNoise newNoise) {
        boolean isNew = profile.add(new ThroughputObservation(
                nodes, replicas, split.atomicBatch(), time.accumulatedSeconds(), time.seconds()));
        unfitted |= isNew;
        newSize |= sizes.add(new Size(nodes, replicas));
        noise = newNoise;
    }

    void validated(LossPoint point) {
        losses.add(point);
    }

    /** Returns the losses since the last call. */
    List<LossPoint> takeLosses() {
        List<LossPoint> taken = List.copyOf(losses);
        losses.clear();
        return taken;
    }

    /** Whether the job stepped on a new size since the last call. */
    boolean takeNewSize() {
        boolean taken = newSize;
        newSize = false;
        return taken;
    }

    /** Returns the fitted step times; empty before the first step. */
    Optional<AllReduceThroughput> throughput() {
        return fitter.throughput(steps());
    }

    /** Returns the goodput with the best batch, in steps of the initial batch; empty before the first step. */
    Optional<Goodput> goodput() {
        return fitter.goodput(new GoodputObservations(batches, steps(), Optional.ofNullable(noise)), workersPerNode);
    }

    private List<ThroughputObservation> steps() {
        if (unfitted) {
            steps = List.copyOf(profile.observations());
            unfitted = false;
        }
        return steps;
    }
}
