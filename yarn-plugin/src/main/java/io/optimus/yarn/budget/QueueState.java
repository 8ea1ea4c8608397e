package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.stream.Stream;

/**
 * One queue of CapacityScheduler on one partition.
 *
 * @param path full path
 * @param ancestors paths of its ancestors, the parent first, the root last
 * @param leaf whether applications run in it
 * @param guarantee effective capacity
 * @param maximum effective maximum capacity
 * @param used resources of its containers and reservations
 * @param pending further requests in a leaf queue, within the limits of the users
 */
public record QueueState(
        String path,
        List<String> ancestors,
        boolean leaf,
        Resources guarantee,
        Resources maximum,
        Resources used,
        Resources pending) {
    public QueueState {
        ancestors = List.copyOf(ancestors);
    }

    /** The same queue with other requests. */
    public QueueState withPending(Resources other) {
        return new QueueState(path, ancestors, leaf, guarantee, maximum, used, other);
    }

    /** The same queue with other containers. */
    public QueueState withUsed(Resources other) {
        return new QueueState(path, ancestors, leaf, guarantee, maximum, other, pending);
    }

    /** The same queue with another effective capacity. */
    public QueueState withLimits(Resources otherGuarantee, Resources otherMaximum) {
        return new QueueState(path, ancestors, leaf, otherGuarantee, otherMaximum, used, pending);
    }

    /** Whether it is {@code queue}, or below it. */
    public boolean isWithin(String queue) {
        return path.equals(queue) || ancestors.contains(queue);
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
