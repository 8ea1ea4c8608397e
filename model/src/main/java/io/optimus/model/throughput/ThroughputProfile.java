package io.optimus.model.throughput;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The measured steps of an all-reduce job, one mean for each placement and batch, in bounded memory.
 *
 * <p>Newer measurements weigh more in a mean: the newest counts for at least one in {@value #MEMORY}. When there are
 * more means than are kept, the one that was measured longest ago is forgotten. Observations that cannot be steps are
 * ignored and counted. Mutable; not safe for several threads.
 */
public final class ThroughputProfile {
    /** Ten reports of a minute each: a speed that changed for good outweighs the old one within two of Optimus's rounds. */
    private static final int MEMORY = 10;

    /** Pollux's jobs have about 20 in their life; the time of a fit grows with the number. */
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

    /** The means are in order of their last measurement, the oldest first. */
    private final Map<Key, Mean> means = new LinkedHashMap<>();

    private long ignored;

    /** A profile that keeps {@value #DEFAULT_SIZE} placements and batches. */
    public ThroughputProfile() {
        this(DEFAULT_SIZE);
    }

    /** A profile that keeps {@code maxSize} placements and batches, 1 or more. */
    public ThroughputProfile(int maxSize) {
        if (maxSize < 1) {
            throw new IllegalArgumentException("At least 1 observation must be kept, got " + maxSize);
        }
        this.maxSize = maxSize;
    }

    /**
     * Adds {@code observation}, or ignores and counts it if it cannot be a step.
     *
     * @return whether its placement and batch are new, so that a fit should follow
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

    /** A copy of the means, ordered by nodes, replicas and batch. */
    public List<ThroughputObservation> observations() {
        return new TreeMap<>(means).values().stream().map(Mean::observation).toList();
    }

    /** The largest number of replicas that was measured; 0 before the first measurement. */
    public int mostReplicas() {
        return means.keySet().stream().mapToInt(Key::replicas).max().orElse(0);
    }

    public long ignored() {
        return ignored;
    }
}
