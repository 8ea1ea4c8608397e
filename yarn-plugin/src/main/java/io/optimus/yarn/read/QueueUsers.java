package io.optimus.yarn.read;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.ApplicationDemand;
import io.optimus.yarn.budget.QueueBudgets;
import io.optimus.yarn.budget.QueueState;
import io.optimus.yarn.budget.ServingOrder;
import io.optimus.yarn.budget.UserBudgets;
import io.optimus.yarn.budget.UserState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The users of one leaf queue on one partition, copied from the scheduler.
 *
 * @param limits limits of its users
 * @param users all users with an application in it, by name
 * @param order the order in which YARN serves its applications
 * @param usages its training applications on this partition, by id
 * @param heldByUser what their tasks hold here, by user name
 * @param preemptable whether YARN takes containers from the queue for others that are below their guarantee
 */
record QueueUsers(
        UserBudgets.Limits limits,
        List<UserState> users,
        Order order,
        List<ApplicationUsage> usages,
        SortedMap<String, Resources> heldByUser,
        boolean preemptable) {
    /**
     * The order in which YARN serves applications.
     *
     * @param rule how YARN orders them
     * @param served all applications in the queue, in order of submission
     */
    record Order(ServingOrder rule, List<Served> served) {
        Order {
            served = List.copyOf(served);
        }

        List<ApplicationDemand> applications() {
            return served.stream().map(Served::demand).toList();
        }
    }

    /**
     * An application in the queue.
     *
     * @param id its id
     * @param weight weight of its user in the queue
     * @param demand what it holds and asks for
     */
    record Served(ApplicationId id, double weight, ApplicationDemand demand) {}

    /** No users: for a queue without training applications in which no application waits. */
    static final QueueUsers NONE = new QueueUsers(
            new UserBudgets.Limits(Resources.NONE, 1, 100),
            List.of(),
            new Order(ServingOrder.FIFO, List.of()),
            List.of(),
            new TreeMap<>(),
            false);

    QueueUsers {
        users = List.copyOf(users);
        usages = List.copyOf(usages);
        heldByUser = Collections.unmodifiableSortedMap(new TreeMap<>(heldByUser));
    }

    /** The same queue with other applications, and what training tasks hold. */
    QueueUsers with(List<Served> served, List<ApplicationUsage> others, SortedMap<String, Resources> held) {
        return new QueueUsers(limits, usersOf(served), new Order(order.rule(), served), others, held, preemptable);
    }

    QueueUsers with(UserBudgets.Limits others) {
        return new QueueUsers(others, users, order, usages, heldByUser, preemptable);
    }

    /** The users of these applications, by name. */
    static List<UserState> usersOf(List<Served> served) {
        SortedMap<String, UserState> users = new TreeMap<>();
        served.forEach(app -> users.merge(app.demand().user(), app.demand().ofUser(app.weight()), UserState::plus));
        return List.copyOf(users.values());
    }

    /**
     * Makes a view of each queue of {@code uses}.
     *
     * @param queues the whole tree, on {@code partition}
     * @param nodes all nodes
     */
    static List<QueueView> views(
            String partition, List<QueueState> queues, SortedMap<String, QueueUsers> uses, List<NodeView> nodes) {
        Map<String, QueueBudgets.Demand> demands = new TreeMap<>();
        uses.forEach((path, use) ->
                demands.put(path, new QueueBudgets.Demand(use.keeps(QueueBudgets.isOwed(queues, path)), use.wanted())));
        SortedMap<String, Resources> totals = QueueBudgets.of(queues, demands);
        List<QueueView> views = new ArrayList<>();
        for (QueueState queue : queues) {
            QueueUsers use = uses.get(queue.path());
            if (use != null) {
                Resources total = totals.getOrDefault(queue.path(), Resources.NONE);
                views.add(use.view(queue, partition, total, nodes));
            }
        }
        return views;
    }

    /**
     * The most that the queue could use: what ordinary applications hold and wait for, and training at its maximum,
     * each within the limit of its user.
     */
    Resources wanted() {
        return users.stream()
                .map(user -> user.wanted().min(limits.most(user)).max(user.ordinaryUsed()))
                .reduce(Resources.NONE, Resources::plus);
    }

    /**
     * What the queue keeps: running jobs go on unless YARN would take their containers.
     *
     * @param owed whether another queue waits for its guarantee
     */
    private Resources keeps(boolean owed) {
        Resources running = users.stream().map(UserState::running).reduce(Resources.NONE, Resources::plus);
        return preemptable && owed ? ordinaryUsed() : ordinaryUsed().plus(running);
    }

    private Resources ordinaryUsed() {
        return users.stream().map(UserState::ordinaryUsed).reduce(Resources.NONE, Resources::plus);
    }

    private QueueView view(QueueState queue, String partition, Resources total, List<NodeView> nodes) {
        UserBudgets budgets = UserBudgets.of(total, limits, users, order.rule(), order.applications());
        UserBudgets guaranteed =
                UserBudgets.asTasksEnd(secured(queue, total), limits, users, order.rule(), order.applications());
        return new QueueView(
                queue.path(),
                partition,
                ClusterSnapshot.of(() -> snapshots(partition, nodes), budgets.training()),
                new QueueView.OrdinaryUsage(ordinaryUsed(), budgets.ordinaryPending()),
                heldByUser,
                budgets.byUser(),
                new QueueView.Guarantee(guaranteed.training(), guaranteed.byUser()),
                usages);
    }

    /**
     * What the users of the queue divide as tasks end: its guarantee, or what it holds where its ordinary applications hold
     * more than that.
     */
    private Resources secured(QueueState queue, Resources total) {
        return ordinaryUsed().fitsIn(queue.guarantee())
                ? queue.guarantee()
                : queue.guarantee().max(queue.used().min(total));
    }

    /**
     * The nodes that the jobs may use. A reservation of an ordinary application for which no node has room takes that of tasks
     * that jobs can spare, but no job below its minimum; nor does a node that shrinks or leaves, while other nodes have no room
     * for these tasks.
     */
    private List<NodeSnapshot> snapshots(String partition, List<NodeView> nodes) {
        Set<ApplicationId> ours = new HashSet<>();
        usages.stream()
                .filter(usage -> !usage.waitsForMaster() || !usage.containers().isEmpty())
                .forEach(usage -> ours.add(usage.application().id()));
        SortedMap<String, Resources> needed = new TreeMap<>();
        usages.forEach(
                usage -> usage.needed().forEach((node, resources) -> needed.merge(node, resources, Resources::plus)));
        List<NodeView> here = nodes.stream()
                .filter(node -> node.partition().equals(partition))
                .toList();
        Predicate<NodeView> remains = leavingWithoutRoomElsewhere(here, ours);
        Reservations reservations = new Reservations(here, ours);
        return here.stream()
                .filter(node -> !avoidedByAll(node))
                .filter(node -> node.usable() || remains.test(node))
                .map(node -> {
                    Resources running = needed.getOrDefault(node.id(), Resources.NONE);
                    return new NodeSnapshot(
                            node.id(),
                            node.capacity(),
                            node.usable()
                                    ? available(node, ours)
                                            .minus(reservations.on(node))
                                            .max(running)
                                    : running,
                            node.gpuType(),
                            node.rack());
                })
                .toList();
    }

    /** Tests for nodes that leave and hold tasks without which a job would end, and which have no room on other nodes. */
    private Predicate<NodeView> leavingWithoutRoomElsewhere(List<NodeView> nodes, Set<ApplicationId> ours) {
        List<Resources> free = nodes.stream()
                .filter(NodeView::usable)
                .map(node -> node.use().freeBesides(ours))
                .toList();
        return node -> node.life() == NodeView.Life.LEAVES
                && usages.stream().anyMatch(usage -> !usage.fits(usage.neededOn(node.id()), free));
    }

    private static Resources available(NodeView node, Set<ApplicationId> ours) {
        NodeView.Use use = node.use();
        return use.unallocated().plus(use.heldBy(ours));
    }

    private boolean avoidedByAll(NodeView node) {
        return usages.stream().allMatch(usage -> usage.avoidedNodes().contains(node.id()));
    }
}
