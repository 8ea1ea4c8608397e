package io.optimus.model.throughput;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was measured of an all-reduce job, one mean for each placement and batch, in bounded memory whatever is reported.
 *
 * <p>The mean of a repeat leans towards what is newer: the newest counts for a {@value #MEMORY}th at least. When there are
 * more than are kept, the one that was measured longest ago is forgotten. What cannot be a step is ignored and counted.
 * Mutable; not safe for several threads.
 */
public final class ThroughputProfile {
    /** Ten looks, of a minute each: a speed that changed for good wins within two of Optimus's rounds. */
    private static final int MEMORY = 10;

    /** Pollux's jobs see about 20 in a life; the fit's work grows with it. */
    private static final int DEFAULT_SIZE = 128;

    private record Key(int nodes, int replicas, int atomicBatch) implements Comparable<Key> {
        static Key of(ThroughputObservation observation) {
            return new Key(observation.nodes(), observation.replicas(), observation.atomicBatch());
        }

        @Override
        public int compareTo(Key other) {
            int byNodes = Integer.compare(nodes, other.nodes);
            int byReplicas = byNodes != 0 ? byNodes : Integer.compare(replicas, other.replicas);
            return byReplicas != 0 ? byReplicas : Integer.compare(atomicBatch, other.atomicBatch);
        }
    }

    private record Mean(ThroughputObservation observation, int repeats) {
        Mean with(ThroughputObservation news) {
            int now = Math.min(MEMORY, repeats + 1);
            double share = 1.0 / now;
            return new Mean(
                    new ThroughputObservation(
                            news.nodes(),
                            news.replicas(),
                            news.atomicBatch(),
                            mix(observation.accumulatedStepSeconds(), news.accumulatedStepSeconds(), share),
                            mix(observation.stepSeconds(), news.stepSeconds(), share)),
                    now);
        }

        private static double mix(double before, double news, double share) {
            return before * (1 - share) + news * share;
        }
    }

    private final int maxSize;

    /** In order of the last measurement, the one longest ago first. */
    private final Map<Key, Mean> means = new LinkedHashMap<>();

    private long ignored;

    /** Keeps {@value #DEFAULT_SIZE} placements and batches. */
    public ThroughputProfile() {
        this(DEFAULT_SIZE);
    }

    /** Keeps {@code maxSize} placements and batches, 1 or more. */
    public ThroughputProfile(int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("At least 1 observation must be kept, got " + maxSize);
        }
        this.maxSize = maxSize;
    }

    /**
     * Takes {@code observation} in, or ignores and counts it where it cannot be a step.
     *
     * @return whether its placement and batch were not known: news that a fit should follow
     */
    public boolean add(ThroughputObservation observation) {
        if (!observation.isPlausible()) {
            ignored++;
            return false;
        }
        Key key = Key.of(observation);
        Mean before = means.remove(key);
        means.put(key, before == null ? new Mean(observation, 1) : before.with(observation));
        if (means.size() > maxSize) {
            Iterator<Key> oldest = means.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        return before == null;
    }

    /** The means, by nodes, replicas and batch; a copy. */
    public List<ThroughputObservation> observations() {
        return new TreeMap<>(means).values().stream().map(Mean::observation).toList();
    }

    /** The most replicas that were measured, 0 before the first. */
    public int mostReplicas() {
        return means.keySet().stream().mapToInt(Key::replicas).max().orElse(0);
    }

    /** How many observations were ignored. */
    public long ignored() {
        return ignored;
    }
}
