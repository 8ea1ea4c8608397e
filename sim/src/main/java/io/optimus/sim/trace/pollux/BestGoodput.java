package io.optimus.sim.trace.pollux;

import io.optimus.model.throughput.BatchLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The highest goodput of a number of replicas, by true step times and true gradients, on the best placement with the
 * best batch that {@link MeasuredGoodput} tries.
 *
 * <p>Safe for several threads; results are cached.
 */
final class BestGoodput {
    private final Profile profile;
    private final int workersPerNode;
    private final Map<Integer, List<Update>> updates = new ConcurrentHashMap<>();
    private final Map<Point, Double> known = new ConcurrentHashMap<>();

    /** A batch, with the least seconds that an update with it takes. */
    private record Update(double batch, double seconds) {}

    private record Point(int epoch, int replicas) {}

    /**
     * Prepares for a model.
     *
     * @param workersPerNode workers that a node holds, 1 or more
     */
    BestGoodput(Profile profile, int workersPerNode) {
        this.profile = profile;
        this.workersPerNode = workersPerNode;
    }

    /** Returns steps of the initial batch per second in an epoch; 0 if the batch has fewer samples than replicas. */
    double stepsPerSecond(int epoch, int replicas) {
        return known.computeIfAbsent(new Point(epoch, replicas), this::search);
    }

    private double search(Point point) {
        int initial = profile.batches().initialBatch();
        return updates.computeIfAbsent(point.replicas(), this::updates).stream()
                .mapToDouble(update -> profile.epochs().gain(point.epoch(), update.batch(), initial) / update.seconds())
                .max()
                .orElse(0);
    }

    private List<Update> updates(int replicas) {
        BatchLimits batches = profile.batches();
        List<Update> all = new ArrayList<>();
        if (replicas < 1 || replicas > batches.maxReplicas()) {
            return all;
        }
        List<List<Integer>> placements = profile.stepTimes().placements(replicas, workersPerNode);
        for (double total : MeasuredGoodput.candidates(batches, replicas)) {
            batches.split(total, replicas).ifPresent(split -> {
                double least = placements.stream()
                        .mapToDouble(on ->
                                profile.stepTimes().at(on, split.atomicBatch()).updateSeconds(split.accumulatedSteps()))
                        .min()
                        .orElse(Double.POSITIVE_INFINITY);
                all.add(new Update((double) split.totalBatch(replicas), least));
            });
        }
        return all;
    }
}
