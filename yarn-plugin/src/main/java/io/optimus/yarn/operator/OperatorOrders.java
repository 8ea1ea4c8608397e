package io.optimus.yarn.operator;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orders of administrators that are in force. Each stays until it is taken back, over rounds and refreshes of queues.
 *
 * <p>With a file they also stay over failovers and restarts: an order comes into force once it is in the file, and before
 * the file is read no orders are known and none can be given. Without a file, another ResourceManager that becomes active
 * has no orders.
 *
 * <p>Thread-safe: an immutable {@link InForce} is replaced at each change. Only calls that give or take back an order wait
 * for the file.
 */
public final class OperatorOrders {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorOrders.class);
    /** A file that could not be read is tried again after so long. */
    private static final long READ_AGAIN_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final Runnable changed;
    /** Held only for a moment, unlike this object's own lock, under which the file is read and written. */
    private final Object replacing = new Object();

    private volatile InForce inForce = InForce.NONE;
    private Optional<OrdersFile> file = Optional.empty();
    private OptionalLong triedMillis = OptionalLong.empty();
    private volatile Optional<String> problem = Optional.empty();

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
        static final InForce NONE = new InForce(Optional.empty(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

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

        private InForce withSizesOf(Predicate<ApplicationId> jobs) {
            SortedMap<ApplicationId, SizeOrder> left = new TreeMap<>(sizes);
            left.keySet().removeIf(jobs.negate());
            return withSizes(left);
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
     * No orders yet, and no file.
     *
     * @param changed is called after each change, and when the file can be read after it could not, on the thread that
     *     does it
     */
    public OperatorOrders(Runnable changed) {
        this.changed = changed;
    }

    /** Keeps orders in {@code kept} from now on, or in no file. Those in it are known after {@link #read}. */
    public synchronized void keepIn(Optional<OrdersFile> kept) {
        file = kept;
        triedMillis = OptionalLong.empty();
        problem = kept.map(unread -> "the orders of administrators are not read yet");
    }

    /**
     * Reads the file if there is one that was not read yet. After a failure, does nothing for a while.
     *
     * @param lives whether a job may still run; the fixed sizes of others are forgotten
     * @param nowMillis a clock that never goes back
     */
    public void read(Predicate<ApplicationId> lives, long nowMillis) {
        if (problem.isPresent()) {
            readAgain(lives, nowMillis);
        }
    }

    private synchronized void readAgain(Predicate<ApplicationId> lives, long nowMillis) {
        if (file.isEmpty() || (triedMillis.isPresent() && nowMillis - triedMillis.getAsLong() < READ_AGAIN_MILLIS)) {
            return;
        }
        boolean failedBefore = triedMillis.isPresent();
        triedMillis = OptionalLong.of(nowMillis);
        try {
            InForce read = file.get().read();
            replace(none -> read.withSizesOf(lives));
            problem = Optional.empty();
            if (failedBefore) {
                changed.run();
            }
        } catch (IOException e) {
            String why = "no round decides anything, because " + e.getMessage();
            if (!problem.equals(Optional.of(why))) {
                LOG.warn("orders of administrators are not known problem={}", why);
            }
            problem = Optional.of(why);
        }
    }

    /** Why the orders in force are not known, with the remedy; empty if they are. */
    public Optional<String> problem() {
        return problem;
    }

    /** The orders in force now; none while there is a {@link #problem}. */
    public InForce inForce() {
        return inForce;
    }

    /** Pauses all rounds. A pause that is in force stays as it is. */
    public void pause(Order order) throws IOException {
        change(now -> now.withPause(now.pause().or(() -> Optional.of(order))));
    }

    /** Ends a pause. */
    public void resume() throws IOException {
        change(now -> now.withPause(Optional.empty()));
    }

    /** Drains a node of training. */
    public void drainNode(String node, Order order) throws IOException {
        change(now -> now.withNodes(with(now.drainedNodes(), node, order)));
    }

    /** Lets training use a node again. */
    public void useNode(String node) throws IOException {
        change(now -> now.withNodes(without(now.drainedNodes(), node)));
    }

    /** Drains a queue, leaf or parent, of training. */
    public void drainQueue(String path, Order order) throws IOException {
        change(now -> now.withQueues(with(now.drainedQueues(), path, order)));
    }

    /** Lets training run in a queue again. */
    public void useQueue(String path) throws IOException {
        change(now -> now.withQueues(without(now.drainedQueues(), path)));
    }

    /** Gives a job a fixed size, in place of one that it may have. */
    public void fixSize(ApplicationId job, SizeOrder size) throws IOException {
        change(now -> now.withSizes(with(now.sizes(), job, size)));
    }

    /** Lets rounds choose the size of a job again. */
    public void freeSize(ApplicationId job) throws IOException {
        change(now -> now.withSizes(without(now.sizes(), job)));
    }

    /** Forgets a job that has ended. The file forgets it with the next order; who reads the file before forgets it too. */
    public void forget(ApplicationId job) {
        if (inForce.sizes().containsKey(job)) {
            replace(now -> now.withSizes(without(now.sizes(), job)));
        }
    }

    /**
     * Changes the orders in the file, then those in force.
     *
     * @throws IOException if the file cannot be written, or was not read yet; nothing has changed then
     */
    private void change(UnaryOperator<InForce> update) throws IOException {
        synchronized (this) {
            if (problem.isPresent()) {
                throw new IOException(problem.get());
            }
            if (file.isPresent()) {
                file.get().write(update.apply(inForce));
            }
            replace(update);
        }
        changed.run();
    }

    private void replace(UnaryOperator<InForce> update) {
        synchronized (replacing) {
            inForce = update.apply(inForce);
        }
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
