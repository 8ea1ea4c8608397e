package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.ApplicationDemand;
import io.optimus.yarn.budget.QueueState;
import io.optimus.yarn.budget.ServingOrder;
import io.optimus.yarn.budget.UserBudgets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;

/** Reads one queue of the scheduler on one partition, holding its locks no longer than YARN's own pages do. */
final class QueueReader {
    private final CSQueue queue;
    private final List<String> ancestors;
    private final String partition;
    private final Resources whole;
    private final List<ApplicationReader> applications;

    private QueueReader(
            CSQueue queue,
            List<String> ancestors,
            String partition,
            Resources whole,
            List<ApplicationReader> applications) {
        this.queue = queue;
        this.ancestors = ancestors;
        this.partition = partition;
        this.whole = whole;
        this.applications = applications;
    }

    /**
     * {@code root} and all queues below it, on {@code partition}.
     *
     * @param applications applications by the path of their queue
     */
    static List<QueueReader> tree(CSQueue root, String partition, Map<String, List<ApplicationReader>> applications) {
        List<QueueReader> tree = new ArrayList<>();
        collect(root, List.of(), partition, maximum(root, partition), applications, tree);
        return tree;
    }

    private static void collect(
            CSQueue queue,
            List<String> ancestors,
            String partition,
            Resources whole,
            Map<String, List<ApplicationReader>> applications,
            List<QueueReader> tree) {
        String path = queue.getQueuePath();
        QueueReader live =
                new QueueReader(queue, ancestors, partition, whole, applications.getOrDefault(path, List.of()));
        tree.add(live);
        List<String> below = new ArrayList<>();
        below.add(path);
        below.addAll(ancestors);
        for (CSQueue child : live.isLeaf() ? List.<CSQueue>of() : queue.getChildQueues()) {
            collect(child, below, partition, whole, applications, tree);
        }
    }

    String path() {
        return queue.getQueuePath();
    }

    /** Whether applications run in it. */
    boolean isLeaf() {
        return queue instanceof AbstractLeafQueue;
    }

    /** The state of the queue, without what its users wait for. */
    QueueState state() {
        Resources used = Amounts.of(queue.getQueueResourceUsage().getUsed(partition));
        return new QueueState(
                path(), ancestors, isLeaf(), guarantee(), maximum(queue, partition), used, Resources.NONE);
    }

    /**
     * The users of the queue and what they wait for; empty if there are no {@code usages} and no application waits.
     *
     * @param usages training applications in it
     * @param nodes ids of the nodes of the partition
     * @param always whether it is read also without usages
     */
    QueueUsers use(List<ApplicationUsage> usages, Set<String> nodes, boolean always) {
        boolean matters = always
                || !usages.isEmpty()
                || !Amounts.of(queue.getQueueResourceUsage().getPending(partition))
                        .equals(Resources.NONE);
        return matters && queue instanceof AbstractLeafQueue leaf ? use(leaf, usages, nodes) : QueueUsers.NONE;
    }

    private QueueUsers use(AbstractLeafQueue leaf, List<ApplicationUsage> usages, Set<String> nodes) {
        Map<ApplicationId, ApplicationUsage> training = usages.stream()
                .collect(Collectors.toMap(usage -> usage.application().id(), Function.identity()));
        // YARN starts these only when the queue's share of ApplicationMasters allows: until then they do not count.
        Set<ApplicationId> waiting = new HashSet<>();
        leaf.getPendingApplications().forEach(app -> waiting.add(app.getApplicationId()));

        List<QueueUsers.Served> served = new ArrayList<>();
        SortedMap<String, Resources> held = new TreeMap<>();
        for (ApplicationReader live : applications) {
            ApplicationId id = live.id();
            boolean starts = !waiting.contains(id) && live.isRunnable();
            ApplicationUsage usage = training.get(id);
            if (usage != null) {
                held.merge(usage.user(), live.held(usage, partition, nodes), Resources::plus);
            }
            ApplicationDemand demand =
                    usage == null ? live.ordinary(partition, starts) : live.training(usage, partition, nodes, starts);
            served.add(new QueueUsers.Served(id, leaf.getUserWeights().getByUser(live.user()), demand));
        }
        return new QueueUsers(
                UserBudgets.Limits.of(
                        leaf.getUserLimitFactor(), leaf.getUserLimit(), guarantee(), maximum(leaf, partition), whole),
                QueueUsers.usersOf(served),
                new QueueUsers.Order(order(leaf), served),
                usages,
                held,
                !leaf.getPreemptionDisabled());
    }

    private static ServingOrder order(AbstractLeafQueue leaf) {
        return leaf.getOrderingPolicy() instanceof FairOrderingPolicy ? ServingOrder.FAIR : ServingOrder.FIFO;
    }

    private Resources guarantee() {
        return Amounts.of(queue.getQueueResourceQuotas().getEffectiveMinResource(partition));
    }

    private static Resources maximum(CSQueue queue, String partition) {
        return Amounts.of(queue.getQueueResourceQuotas().getEffectiveMaxResource(partition));
    }
}
