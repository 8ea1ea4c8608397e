package io.optimus.yarn.operator;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The orders of administrators that are in force. Each stays until it is taken back, over rounds and refreshes of queues.
 * They are soft state: another ResourceManager that becomes active has none.
 *
 * <p>Thread-safe: an immutable {@link InForce} is replaced at each change.
 */
public final class OperatorOrders {
    private final Runnable changed;
    private volatile InForce inForce = new InForce(Optional.empty(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    /**
     * All orders at one moment.
     *
     * @param pause no round decides anything while this is in force
     * @param drainedNodes training leaves these nodes, by node id
     * @param drainedQueues training in these queues, and those below them, stops, by path
     * @param sizes fixed sizes, by job
     */
    public record InForce(
            Optional<Order> pause,
            SortedMap<String, Order> drainedNodes,
            SortedMap<String, Order> drainedQueues,
            SortedMap<ApplicationId, SizeOrder> sizes) {
        public InForce {
            drainedNodes = Collections.unmodifiableSortedMap(new TreeMap<>(drainedNodes));
            drainedQueues = Collections.unmodifiableSortedMap(new TreeMap<>(drainedQueues));
            sizes = Collections.unmodifiableSortedMap(new TreeMap<>(sizes));
        }

        private InForce withPause(Optional<Order> other) {
            return new InForce(other, drainedNodes, drainedQueues, sizes);
        }

        private InForce withNodes(SortedMap<String, Order> others) {
            return new InForce(pause, others, drainedQueues, sizes);
        }

        private InForce withQueues(SortedMap<String, Order> others) {
            return new InForce(pause, drainedNodes, others, sizes);
        }

        private InForce withSizes(SortedMap<ApplicationId, SizeOrder> others) {
            return new InForce(pause, drainedNodes, drainedQueues, others);
        }

        /** Whether rounds are paused. */
        public boolean paused() {
            return pause.isPresent();
        }

        /** The order that drains the leaf queue with this path, or one above it. */
        public Optional<Order> drains(String queuePath) {
            return drainedQueues.entrySet().stream()
                    .filter(drained ->
                            queuePath.equals(drained.getKey()) || queuePath.startsWith(drained.getKey() + "."))
                    .map(Map.Entry::getValue)
                    .findFirst();
        }
    }

    /**
     * No orders yet.
     *
     * @param changed is called after each change, on the thread that makes it
     */
    public OperatorOrders(Runnable changed) {
        this.changed = changed;
    }

    /** The orders in force now. */
    public InForce inForce() {
        return inForce;
    }

    /** Pauses all rounds. A pause that is in force stays as it is. */
    public void pause(Order order) {
        change(now -> now.withPause(now.pause().or(() -> Optional.of(order))));
    }

    /** Ends a pause. */
    public void resume() {
        change(now -> now.withPause(Optional.empty()));
    }

    /** Drains a node of training. */
    public void drainNode(String node, Order order) {
        change(now -> now.withNodes(with(now.drainedNodes(), node, order)));
    }

    /** Lets training use a node again. */
    public void useNode(String node) {
        change(now -> now.withNodes(without(now.drainedNodes(), node)));
    }

    /** Drains a queue, leaf or parent, of training. */
    public void drainQueue(String path, Order order) {
        change(now -> now.withQueues(with(now.drainedQueues(), path, order)));
    }

    /** Lets training run in a queue again. */
    public void useQueue(String path) {
        change(now -> now.withQueues(without(now.drainedQueues(), path)));
    }

    /** Gives a job a fixed size, in place of one that it may have. */
    public void fixSize(ApplicationId job, SizeOrder size) {
        change(now -> now.withSizes(with(now.sizes(), job, size)));
    }

    /** Lets rounds choose the size of a job again. */
    public void freeSize(ApplicationId job) {
        change(now -> now.withSizes(without(now.sizes(), job)));
    }

    /** Forgets a job that has ended. */
    public void forget(ApplicationId job) {
        if (inForce.sizes().containsKey(job)) {
            freeSize(job);
        }
    }

    private void change(UnaryOperator<InForce> update) {
        synchronized (this) {
            inForce = update.apply(inForce);
        }
        changed.run();
    }

    private static <K, V> SortedMap<K, V> with(SortedMap<K, V> orders, K what, V order) {
        SortedMap<K, V> next = new TreeMap<>(orders);
        next.put(what, order);
        return next;
    }

    private static <K, V> SortedMap<K, V> without(SortedMap<K, V> orders, K what) {
        SortedMap<K, V> next = new TreeMap<>(orders);
        next.remove(what);
        return next;
    }
}
