package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.stream.Stream;

/**
 * One queue on one partition, as CapacityScheduler has it.
 *
 * @param path full path
 * @param ancestors paths of its ancestors, the parent first, the root last
 * @param leaf whether applications run in it
 * @param guarantee effective capacity
 * @param maximum effective maximum capacity
 * @param used what runs in it or is reserved for it
 * @param pending what is asked for in a leaf beyond that, by who may have it
 */
public record QueueState(
        String path,
        List<String> ancestors,
        boolean leaf,
        Resources guarantee,
        Resources maximum,
        Resources used,
        Resources pending) {
    /** Copies. */
    public QueueState {
        ancestors = List.copyOf(ancestors);
    }

    /** Paths of this queue and its ancestors. */
    List<String> withAncestors() {
        return Stream.concat(Stream.of(path), ancestors.stream()).toList();
    }

    /** Whether this queue is {@code queue} or above it. */
    boolean covers(QueueState queue) {
        return path.equals(queue.path) || queue.ancestors.contains(path);
    }
}
