package io.optimus.sim.trace.pollux;

import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Profiles for tests. */
final class Models {
    private Models() {}

    /**
     * Returns a profile with batches of 10 to 40, up to 20 samples at a time. A step takes 1 s, and 1 s more for each further
     * node; none of it is synchronisation. There are two epochs, of 100 and 200 steps of the initial batch; a step of batch 20
     * is worth 1.5 of these steps, one of batch 40 is worth two.
     */
    static Profile simple() {
        return with(epochs());
    }

    /** The same with {@code count} epochs of 100 steps; the metric rises to 1 as an inverse decay does. */
    static Profile converging(int count) {
        GradientNoise noise = new GradientNoise(1, 2);
        List<Epochs.Row> rows = IntStream.rangeClosed(1, count)
                .mapToObj(epoch -> new Epochs.Row(100.0 * epoch, 100.0 * epoch, 1 - 1 / (1 + 0.2 * epoch), noise))
                .toList();
        return with(new Epochs(new TreeMap<>(Map.of(10, rows))));
    }

    private static Profile with(Epochs epochs) {
        StepTimes.Means means = new StepTimes.Means();
        for (int nodes = 1; nodes <= 4; nodes++) {
            for (int replicas = nodes; replicas <= 16; replicas++) {
                means.add(nodes, replicas, 5, new StepTime(nodes, 0));
                means.add(nodes, replicas, 20, new StepTime(nodes, 0));
            }
        }
        NavigableMap<Integer, StepTime> alone = new TreeMap<>(Map.of(10, new StepTime(1, 0), 20, new StepTime(1, 0)));
        StepTimes times = new StepTimes(Map.of(List.of(1), alone), means.interpolation(), 4);
        return new Profile("simple", new BatchLimits(10, 40, 5, 20), 16, OptionalInt.empty(), times, epochs);
    }

    private static Epochs epochs() {
        NavigableMap<Integer, List<Epochs.Row>> byBatch = new TreeMap<>();
        // Gain (v + 1)/(v/scale + 1): 1 at scale 1; v = 2 gives 3/2 at scale 2, and 3/1.5 = 2 at scale 4.
        GradientNoise noise = new GradientNoise(1, 2);
        byBatch.put(10, List.of(new Epochs.Row(100, 100, 0.5, noise), new Epochs.Row(300, 300, 0.9, noise)));
        byBatch.put(40, List.of(new Epochs.Row(110, 55, 0.4, noise), new Epochs.Row(320, 160, 0.8, noise)));
        return new Epochs(byBatch);
    }
}
