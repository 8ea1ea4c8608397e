package io.optimus.yarn.soak;

import io.optimus.model.Allocation;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.operator.SizeOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.protocolrecords.UpdateApplicationPriorityRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** What happens to the cluster in a soak: drawn from its seed, each kind at its own mean distance. */
final class SoakEvents {
    private static final String CAPACITY = ".capacity";
    private static final String QUEUES = "yarn.scheduler.capacity.root.";
    private static final String KEYS = "yarn.scheduler.optimus.";

    private final SoakCluster cluster;
    private final Supplier<List<SimulatedApplication>> live;
    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::atMillis));
    private final Map<String, Integer> counts = new TreeMap<>();
    private long disturbedUntilMillis;

    /** The kinds, with the mean seconds between two of a kind. */
    enum Kind {
        LOSE_NODE(45),
        RESTART_NODE(100),
        REFRESH_QUEUES(60),
        FAIL_OVER(0),
        PAUSE(180),
        DRAIN_NODE(90),
        DRAIN_QUEUE(240),
        FIX_SIZE(60),
        CHANGE_PRIORITY(20),
        MOVE(40),
        KILL(150);

        private final int meanSeconds;

        Kind(int meanSeconds) {
            this.meanSeconds = meanSeconds;
        }
    }

    /** Something to be done once. */
    @FunctionalInterface
    private interface Action {
        void run(long nowMillis) throws Exception;
    }

    /** A change of orders. */
    @FunctionalInterface
    private interface Change {
        void of(OperatorOrders orders) throws IOException;
    }

    /** An action and its time. */
    private record Due(long atMillis, Action action) {}

    /** Events at {@code cluster}, whose running applications are {@code live}. */
    SoakEvents(SoakOptions options, SoakCluster cluster, Supplier<List<SimulatedApplication>> live) {
        this.cluster = cluster;
        this.live = live;
        for (int failover = 1; failover <= options.failovers(); failover++) {
            add(Kind.FAIL_OVER, options.millis() * failover / (options.failovers() + 1), options.seed());
        }
        if (options.kind() == SoakOptions.Kind.EVENTS) {
            for (Kind kind : Kind.values()) {
                schedule(kind, options);
            }
        }
    }

    private void schedule(Kind kind, SoakOptions options) {
        Random random = new Random(options.seed() * 31 + kind.name().hashCode());
        // A short soak has some of each kind, too.
        double mean = Math.min(kind.meanSeconds * 1000.0, options.millis() / 3.0);
        double at = 0;
        while (kind.meanSeconds > 0) {
            at += -mean * Math.log(1 - random.nextDouble());
            if (at > options.millis()) {
                return;
            }
            add(kind, (long) at, random.nextLong());
        }
    }

    private void add(Kind kind, long atMillis, long seed) {
        due.add(new Due(atMillis, now -> carryOut(kind, new Random(seed), now)));
    }

    private void later(long atMillis, Action action) {
        due.add(new Due(atMillis, action));
    }

    /** Does what is due. */
    void step(long nowMillis) throws Exception {
        while (!due.isEmpty() && due.element().atMillis() <= nowMillis) {
            due.remove().action().run(nowMillis);
        }
    }

    /** How often each kind happened. */
    Map<String, Integer> counts() {
        return counts;
    }

    /** Whether an order holds training back now, or did so lately. */
    boolean holdBack(long nowMillis) {
        return nowMillis < disturbedUntilMillis;
    }

    private void carryOut(Kind kind, Random random, long now) throws Exception {
        try {
            if (happens(kind, random, now)) {
                counts.merge(kind.toString(), 1, Integer::sum);
            }
        } catch (IOException | YarnException e) {
            // Such as a move of an application that ends at the same time, or an order just after a failover.
            counts.merge(kind + " refused", 1, Integer::sum);
        }
    }

    private boolean happens(Kind kind, Random random, long now) throws Exception {
        return switch (kind) {
            case LOSE_NODE -> {
                cluster.lose(anyNode(random), now + 5000 + random.nextInt(30_000));
                yield true;
            }
            case RESTART_NODE -> {
                anyNode(random).fail(now + 1000);
                yield true;
            }
            case REFRESH_QUEUES -> {
                refresh(random);
                yield true;
            }
            case FAIL_OVER -> {
                cluster.failOver();
                disturb(now + 15_000);
                yield true;
            }
            case PAUSE -> {
                orders().pause(order(now));
                holdBack(now, 5000 + random.nextInt(10_000), OperatorOrders::resume);
                yield true;
            }
            case DRAIN_NODE -> {
                String node = anyNode(random).id().toString();
                orders().drainNode(node, order(now));
                holdBack(now, 5000 + random.nextInt(20_000), orders -> orders.useNode(node));
                yield true;
            }
            case DRAIN_QUEUE -> {
                String queue = "root." + Scenario.QUEUES.get(random.nextInt(2));
                orders().drainQueue(queue, order(now));
                holdBack(now, 5000 + random.nextInt(10_000), orders -> orders.useQueue(queue));
                yield true;
            }
            case FIX_SIZE -> fixSize(random, now);
            case CHANGE_PRIORITY -> changePriority(random);
            case MOVE -> move(random);
            case KILL -> kill(random);
        };
    }

    private SimulatedNode anyNode(Random random) {
        List<SimulatedNode> nodes = new ArrayList<>(cluster.nodes());
        return nodes.get(random.nextInt(nodes.size()));
    }

    private OperatorOrders orders() {
        return cluster.overview().state().orders();
    }

    private static Order order(long now) {
        return new Order("operator", now);
    }

    /** Takes an order back later, at whichever ResourceManager is active then. */
    private void holdBack(long now, long millis, Change takeBack) {
        disturb(now + millis + 10_000);
        later(now + millis, then -> takeBack(takeBack, then));
    }

    /** Tries again where a ResourceManager that has just become active does not know the orders yet. */
    private void takeBack(Change change, long now) {
        try {
            change.of(orders());
        } catch (IOException e) {
            later(now + 1000, then -> takeBack(change, then));
        }
    }

    private void disturb(long untilMillis) {
        disturbedUntilMillis = Math.max(disturbedUntilMillis, untilMillis);
    }

    /** Changes capacities, policies and times. */
    private void refresh(Random random) throws Exception {
        int research = 30 + random.nextInt(21);
        int production = 25 + random.nextInt(16);
        var site = cluster.site();
        site.setInt(QUEUES + "research" + CAPACITY, research);
        site.setInt(QUEUES + "production" + CAPACITY, production);
        site.setInt(QUEUES + "batch" + CAPACITY, 100 - research - production);
        List<String> policies = List.of("marginal-goodput", "optimus", "drf", "pollux", "sia", "tiresias");
        site.set(KEYS + "queue.root.research.policy", policies.get(random.nextInt(policies.size())));
        site.set(KEYS + "grace-time", (4 + random.nextInt(4)) + "s");
        site.set(KEYS + "round-interval", (5 + random.nextInt(10)) + "s");
        cluster.refreshQueues();
    }

    private Optional<SimulatedApplication> anyRunning(Random random, boolean training) {
        List<SimulatedApplication> running = live.get().stream()
                .filter(SimulatedApplication::isRunning)
                .filter(application -> !training || application.work() instanceof TrainingWork)
                .toList();
        return running.isEmpty() ? Optional.empty() : Optional.of(running.get(random.nextInt(running.size())));
    }

    private boolean fixSize(Random random, long now) throws IOException {
        Optional<SimulatedApplication> job = anyRunning(random, true);
        if (job.isPresent() && job.get().script() instanceof Script.Training script) {
            Allocation size = random.nextBoolean() ? script.min() : script.max();
            orders().fixSize(job.get().id(), new SizeOrder(size, order(now)));
            later(
                    now + 15_000,
                    then -> takeBack(orders -> orders.freeSize(job.get().id()), then));
        }
        return job.isPresent();
    }

    private boolean changePriority(Random random) throws Exception {
        Optional<SimulatedApplication> any = anyRunning(random, false);
        if (any.isPresent()) {
            cluster.active()
                    .getClientRMService()
                    .updateApplicationPriority(UpdateApplicationPriorityRequest.newInstance(
                            any.get().id(), Priority.newInstance(random.nextInt(11))));
        }
        return any.isPresent();
    }

    private boolean move(Random random) throws Exception {
        Optional<SimulatedApplication> any = anyRunning(random, random.nextInt(3) > 0);
        if (any.isPresent()) {
            cluster.active()
                    .getClientRMService()
                    .moveApplicationAcrossQueues(MoveApplicationAcrossQueuesRequest.newInstance(
                            any.get().id(), Scenario.QUEUES.get(random.nextInt(Scenario.QUEUES.size()))));
        }
        return any.isPresent();
    }

    private boolean kill(Random random) throws Exception {
        Optional<SimulatedApplication> any = anyRunning(random, false);
        if (any.isPresent()) {
            cluster.active()
                    .getClientRMService()
                    .forceKillApplication(
                            KillApplicationRequest.newInstance(any.get().id()));
        }
        return any.isPresent();
    }
}
