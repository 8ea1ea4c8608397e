package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.ApplicationDemand;
import io.optimus.yarn.budget.QueueState;
import io.optimus.yarn.budget.UserBudgets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The queues of one partition, as they were copied.
 *
 * @param partition node label, empty for the default partition
 * @param queues the whole tree, parents first, without what their users wait for
 * @param uses users of the queues with training applications, and of those in which applications wait, by path
 */
record PartitionCopy(String partition, List<QueueState> queues, SortedMap<String, QueueUsers> uses) {
    PartitionCopy {
        queues = List.copyOf(queues);
    }

    List<QueueView> views(List<NodeView> nodes) {
        List<QueueState> states = queues.stream()
                .map(queue -> queue.withPending(uses.getOrDefault(queue.path(), QueueUsers.NONE)
                        .wanted()
                        // Reservations are part of both.
                        .minus(queue.used())
                        .max(Resources.NONE)))
                .toList();
        SortedMap<String, QueueUsers> withTraining = new TreeMap<>(uses);
        withTraining.values().removeIf(use -> use.usages().isEmpty());
        return QueueUsers.views(partition, states, withTraining, nodes);
    }

    /**
     * The same without some applications.
     *
     * @param nodes ids of the nodes of the partition
     */
    PartitionCopy without(Set<ApplicationId> gone, Set<String> nodes) {
        return changed(nodes, usage -> gone.contains(usage.application().id()) ? Optional.empty() : Optional.of(usage));
    }

    /** The same where training applications have lost their tasks on {@code node}; {@code nodes} are left. */
    PartitionCopy withoutTasksOn(String node, Set<String> nodes) {
        return changed(nodes, usage -> Optional.of(usage.without(node)));
    }

    /** Changes each training application, or takes it away, and subtracts from the queues what it no longer holds. */
    private PartitionCopy changed(Set<String> nodes, Function<ApplicationUsage, Optional<ApplicationUsage>> change) {
        Map<String, Resources> less = new HashMap<>();
        SortedMap<String, QueueUsers> others = new TreeMap<>();
        uses.forEach((path, use) -> {
            Map<ApplicationId, ApplicationUsage> kept = new HashMap<>();
            List<ApplicationUsage> usages = new ArrayList<>();
            SortedMap<String, Resources> held = new TreeMap<>();
            Resources lost = Resources.NONE;
            for (ApplicationUsage usage : use.usages()) {
                Optional<ApplicationUsage> now = change.apply(usage);
                Resources before = usage.inAll();
                lost = lost.plus(before.minus(now.map(ApplicationUsage::inAll).orElse(Resources.NONE)));
                now.ifPresent(left -> {
                    kept.put(left.application().id(), left);
                    usages.add(left);
                    held.merge(left.user(), left.on(nodes), Resources::plus);
                });
            }
            Set<ApplicationId> training =
                    use.usages().stream().map(usage -> usage.application().id()).collect(Collectors.toSet());
            List<QueueUsers.Served> served = new ArrayList<>();
            for (QueueUsers.Served app : use.order().served()) {
                ApplicationUsage left = kept.get(app.id());
                if (!training.contains(app.id())) {
                    served.add(app);
                } else if (left != null) {
                    served.add(running(app, left));
                } else {
                    lost = lost.plus(app.demand().used());
                }
            }
            others.put(path, use.with(served, usages, held));
            less.put(path, lost);
        });
        return new PartitionCopy(partition, using(less, Resources::minus), others);
    }

    private static QueueUsers.Served running(QueueUsers.Served app, ApplicationUsage left) {
        ApplicationDemand demand = app.demand();
        return new QueueUsers.Served(
                app.id(),
                app.weight(),
                new ApplicationDemand(
                        demand.user(),
                        demand.priority(),
                        demand.used(),
                        demand.pending(),
                        Optional.of(new ApplicationDemand.Training(
                                left.neededInAll(),
                                left.application().resources(left.application().minimum()),
                                left.application().maximum()))));
    }

    /** The queues where those at {@code amounts}, and the queues above them, use more or less. */
    private List<QueueState> using(Map<String, Resources> amounts, BinaryOperator<Resources> change) {
        Map<String, Resources> withAbove = new HashMap<>(amounts);
        for (QueueState queue : queues) {
            Resources own = amounts.getOrDefault(queue.path(), Resources.NONE);
            queue.ancestors().forEach(above -> withAbove.merge(above, own, Resources::plus));
        }
        return queues.stream()
                .map(queue -> queue.withUsed(
                        change.apply(queue.used(), withAbove.getOrDefault(queue.path(), Resources.NONE))))
                .toList();
    }

    /** The same with one more application, which waits for its tasks. */
    PartitionCopy with(SupposedApplication supposed) {
        QueueUsers use = uses.getOrDefault(supposed.queue(), QueueUsers.NONE);
        ApplicationUsage usage = supposed.usage();
        List<ApplicationUsage> usages = new ArrayList<>(use.usages());
        usages.add(usage);
        List<QueueUsers.Served> served = new ArrayList<>(use.order().served());
        served.add(running(
                new QueueUsers.Served(
                        usage.application().id(),
                        1,
                        new ApplicationDemand(
                                supposed.user(),
                                supposed.priority(),
                                supposed.master(),
                                Resources.NONE,
                                Optional.empty())),
                usage));
        SortedMap<String, QueueUsers> others = new TreeMap<>(uses);
        others.put(supposed.queue(), use.with(served, usages, use.heldByUser()));
        return new PartitionCopy(
                partition, using(Map.of(supposed.queue(), supposed.master()), Resources::plus), others);
    }

    /** The resources of all nodes of the partition. */
    Resources whole() {
        return queues.stream()
                .filter(queue -> queue.ancestors().isEmpty())
                .map(QueueState::maximum)
                .reduce(Resources.NONE, Resources::plus);
    }

    /** The same on more or fewer nodes: the capacities of all queues are parts of the whole. */
    PartitionCopy onWhole(Resources after) {
        Resources before = whole();
        UnaryOperator<Resources> scale = amount -> Scaled.of(amount, before, after);
        return limited(path -> true, scale);
    }

    /** The same where {@code queue}, and what is below it, may use at most a part of what its parent may use. */
    PartitionCopy limited(String queue, double percentOfParent) {
        Optional<QueueState> own = find(queue);
        Optional<QueueState> parent =
                own.flatMap(state -> state.ancestors().stream().findFirst()).flatMap(this::find);
        if (own.isEmpty() || parent.isEmpty()) {
            return this;
        }
        Resources before = own.get().maximum();
        Resources after = Scaled.percent(parent.get().maximum(), percentOfParent);
        return limited(
                        path -> find(path)
                                .filter(state -> state.isWithin(queue))
                                .isPresent(),
                        amount -> Scaled.of(amount, before, after))
                .keepingGuarantees(this);
    }

    /** The guarantees are as before: only what a queue may use beyond them changes. */
    private PartitionCopy keepingGuarantees(PartitionCopy before) {
        List<QueueState> kept = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++) {
            QueueState now = queues.get(i);
            kept.add(now.withLimits(before.queues.get(i).guarantee().min(now.maximum()), now.maximum()));
        }
        return new PartitionCopy(partition, kept, uses);
    }

    private PartitionCopy limited(Predicate<String> which, UnaryOperator<Resources> scale) {
        List<QueueState> others = queues.stream()
                .map(queue -> which.test(queue.path())
                        ? queue.withLimits(scale.apply(queue.guarantee()), scale.apply(queue.maximum()))
                        : queue)
                .toList();
        SortedMap<String, QueueUsers> changed = new TreeMap<>(uses);
        changed.replaceAll((path, use) -> {
            UserBudgets.Limits limits = use.limits();
            return which.test(path)
                    ? use.with(new UserBudgets.Limits(scale.apply(limits.whole()), limits.part(), limits.percent()))
                    : use;
        });
        return new PartitionCopy(partition, others, changed);
    }

    Optional<QueueState> find(String path) {
        return queues.stream().filter(queue -> queue.path().equals(path)).findFirst();
    }
}
