package io.optimus.yarn.operator;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The orders of administrators that are in force. Each stays until it is taken back, over rounds and refreshes of queues.
 * They are soft state: another ResourceManager that becomes active has none.
 *
 * <p>Thread-safe: an immutable {@link InForce} is replaced at each change.
 */
public final class OperatorOrders {
    private final Runnable changed;
    private volatile InForce inForce =
            new InForce(Optional.empty(), Collections.emptySortedMap(), Collections.emptySortedMap());

    /**
     * All orders at one moment.
     *
     * @param pause no round decides anything while this is in force
     * @param drainedNodes training leaves these nodes, by node id
     * @param drainedQueues training in these queues, and those below them, stops, by path
     */
    public record InForce(
            Optional<Order> pause, SortedMap<String, Order> drainedNodes, SortedMap<String, Order> drainedQueues) {
        public InForce {
            drainedNodes = Collections.unmodifiableSortedMap(new TreeMap<>(drainedNodes));
            drainedQueues = Collections.unmodifiableSortedMap(new TreeMap<>(drainedQueues));
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
        change(now -> new InForce(now.pause().or(() -> Optional.of(order)), now.drainedNodes(), now.drainedQueues()));
    }

    /** Ends a pause. */
    public void resume() {
        change(now -> new InForce(Optional.empty(), now.drainedNodes(), now.drainedQueues()));
    }

    /** Drains a node of training. */
    public void drainNode(String node, Order order) {
        change(now -> new InForce(now.pause(), with(now.drainedNodes(), node, order), now.drainedQueues()));
    }

    /** Lets training use a node again. */
    public void useNode(String node) {
        change(now -> new InForce(now.pause(), without(now.drainedNodes(), node), now.drainedQueues()));
    }

    /** Drains a queue, leaf or parent, of training. */
    public void drainQueue(String path, Order order) {
        change(now -> new InForce(now.pause(), now.drainedNodes(), with(now.drainedQueues(), path, order)));
    }

    /** Lets training run in a queue again. */
    public void useQueue(String path) {
        change(now -> new InForce(now.pause(), now.drainedNodes(), without(now.drainedQueues(), path)));
    }

    private void change(UnaryOperator<InForce> update) {
        synchronized (this) {
            inForce = update.apply(inForce);
        }
        changed.run();
    }

    private static SortedMap<String, Order> with(SortedMap<String, Order> orders, String what, Order order) {
        SortedMap<String, Order> next = new TreeMap<>(orders);
        next.putIfAbsent(what, order);
        return next;
    }

    private static SortedMap<String, Order> without(SortedMap<String, Order> orders, String what) {
        SortedMap<String, Order> next = new TreeMap<>(orders);
        next.remove(what);
        return next;
    }
}
