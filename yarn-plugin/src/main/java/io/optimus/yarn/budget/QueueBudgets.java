package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.ProportionalShares.Limit;
import io.optimus.yarn.budget.ProportionalShares.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Computes how much each leaf queue with training applications may use, ordinary applications included. This is its
 * guarantee and idle resources, up to its maximum and the maxima of its ancestors.
 *
 * <p>Each leaf queue is entitled to the part of its guarantee that it would use; a queue without training is also
 * entitled to what it uses beyond its guarantee. The rest of a parent's guarantee goes to the leaves below it that
 * would use more. Resources that no queue is entitled to are idle and go to training. If several queues want more idle
 * resources than there are, they get them in proportion to their guarantees ({@link ProportionalShares}). These count
 * as dominant shares, since a guarantee may be less than one unit of a resource. It does not matter which queue held
 * them before, because training can shrink. What ordinary applications hold is never divided. So all budgets together
 * stay within every limit. A running job's minimum is not divided either, where YARN would not preempt for another queue.
 *
 * <p>Example with one resource, 100 in all: queue a has a guarantee of 60, uses 60 and could use 90; queue b has a guarantee of
 * 40, uses 10 and requests 5 more. b is entitled to 15, and a may use 85. If b has training that could use 50, it is
 * entitled to 40 and a may use 60. If a third queue with a guarantee of 25 is idle, a and b with guarantees of 50 and 25 could
 * use 67 and 33.
 *
 * <p>Now b has a guarantee of 30 and an idle sibling of 10, so that their parent has 40. If b uses 10 and requests 30
 * more, b is entitled to all 40, and a may use 60.
 */
public final class QueueBudgets {
    private final List<QueueState> queues;
    private final Resources whole;
    private final Map<String, Resources> keeps = new HashMap<>();
    private final Map<String, Resources> wanted = new HashMap<>();
    private final Map<String, Resources> entitlements = new HashMap<>();

    /**
     * The demand of a leaf queue with training applications.
     *
     * @param keeps what the queue keeps, also above its maximum: what ordinary applications hold, and where YARN does not
     *     preempt also the tasks without which running jobs would end
     * @param wanted the most that all applications in it could use
     */
    public record Demand(Resources keeps, Resources wanted) {}

    private QueueBudgets(List<QueueState> queues, Map<String, Demand> demands) {
        this.queues = queues;
        this.whole = queues.stream()
                .filter(queue -> queue.ancestors().isEmpty())
                .map(QueueState::maximum)
                .reduce(Resources.NONE, Resources::plus);
        for (QueueState queue : queues) {
            if (queue.leaf()) {
                Demand demand = Optional.ofNullable(demands.get(queue.path()))
                        .orElseGet(() -> new Demand(queue.used(), queue.used().plus(queue.pending())));
                keeps.put(queue.path(), demand.keeps());
                wanted.put(queue.path(), demand.wanted());
                entitlements.put(
                        queue.path(), demand.keeps().max(demand.wanted().min(queue.guarantee())));
            }
        }
    }

    /**
     * Computes what each queue of {@code demands} may use.
     *
     * @param queues the whole tree, parents first
     * @param demands demands of the leaf queues with training applications, by their paths
     */
    public static SortedMap<String, Resources> of(List<QueueState> queues, Map<String, Demand> demands) {
        QueueBudgets budgets = new QueueBudgets(queues, demands);
        List<QueueState> bottomUp = new ArrayList<>(queues);
        Collections.reverse(bottomUp);
        for (QueueState queue : bottomUp) {
            if (queue.ancestors().isEmpty()) {
                budgets.divide(queue, queue.maximum(), demands::containsKey);
            } else if (!queue.leaf()) {
                budgets.divide(queue, queue.guarantee(), path -> true);
            }
        }
        return budgets.totals(demands.keySet());
    }

    /**
     * Whether a queue beside {@code path} waits for its guarantee, or for that of an ancestor. YARN preempts only then.
     *
     * @param queues the whole tree, parents first
     */
    public static boolean isOwed(List<QueueState> queues, String path) {
        Map<String, QueueState> byPath = new HashMap<>();
        queues.forEach(queue -> byPath.put(queue.path(), queue));
        QueueState own = byPath.get(path);
        Resources whole = queues.get(0).maximum();
        return own != null
                && queues.stream()
                        .filter(queue -> queue.leaf() && !queue.pending().equals(Resources.NONE))
                        .flatMap(queue -> queue.withAncestors().stream())
                        .map(byPath::get)
                        .filter(Objects::nonNull)
                        .anyMatch(queue -> !queue.covers(own)
                                && queue.used().dominant(whole).part()
                                        < queue.guarantee().dominant(whole).part());
    }

    /** Divides the free part of {@code amount} among the leaves below {@code top} that want more. */
    private void divide(QueueState top, Resources amount, Predicate<String> takes) {
        List<QueueState> below = queues.stream().filter(top::covers).toList();
        Predicate<QueueState> takesMore =
                leaf -> takes.test(leaf.path()) && !wanted(leaf).fitsIn(entitlement(leaf));
        List<QueueState> leaves =
                below.stream().filter(QueueState::leaf).filter(takesMore).toList();
        if (leaves.isEmpty()) {
            return;
        }
        SortedMap<String, Resources> limits = new TreeMap<>();
        below.forEach(queue -> limits.put(queue.path(), queue.maximum()));
        limits.put(top.path(), amount);
        entitlements(below.stream()
                        .filter(QueueState::leaf)
                        .filter(takesMore.negate())
                        .toList())
                .forEach((path, others) -> limits.computeIfPresent(path, (same, limit) -> limit.minus(others)));
        for (String resource : amount.amounts().keySet()) {
            divide(resource, leaves, limits);
        }
    }

    private void divide(String resource, List<QueueState> leaves, SortedMap<String, Resources> limits) {
        List<Request> requests = new ArrayList<>();
        SortedMap<String, List<Integer>> members = new TreeMap<>();
        for (QueueState leaf : leaves) {
            leaf.withAncestors().forEach(path -> members.computeIfAbsent(path, above -> new ArrayList<>())
                    .add(requests.size()));
            requests.add(new Request(
                    entitlement(leaf).amount(resource),
                    wanted(leaf).amount(resource),
                    leaf.guarantee().dominant(whole).part()));
        }
        List<Limit> together = new ArrayList<>();
        limits.forEach((path, limit) ->
                together.add(new Limit(limit.amount(resource), members.getOrDefault(path, List.of()))));
        long[] shares = ProportionalShares.of(requests, together);
        for (int i = 0; i < shares.length; i++) {
            long more = shares[i] - requests.get(i).least();
            entitlements.merge(leaves.get(i).path(), Resources.of(Map.of(resource, more)), Resources::plus);
        }
    }

    private SortedMap<String, Resources> totals(Set<String> paths) {
        Map<String, Resources> maxima = new HashMap<>();
        queues.forEach(queue -> maxima.put(queue.path(), queue.maximum()));
        Map<String, Resources> entitled =
                entitlements(queues.stream().filter(QueueState::leaf).toList());
        SortedMap<String, Resources> totals = new TreeMap<>();
        for (QueueState leaf : queues) {
            if (paths.contains(leaf.path())) {
                Resources idle = leaf.maximum();
                for (String above : leaf.withAncestors()) {
                    Resources others =
                            entitled.getOrDefault(above, Resources.NONE).minus(entitlement(leaf));
                    idle = idle.min(maxima.getOrDefault(above, Resources.NONE).minus(others));
                }
                totals.put(
                        leaf.path(),
                        idle.max(leaf.guarantee())
                                .min(leaf.maximum())
                                .max(keeps.getOrDefault(leaf.path(), Resources.NONE)));
            }
        }
        return totals;
    }

    /** Sums the entitlements of {@code leaves} for each leaf and each ancestor, by path. */
    private Map<String, Resources> entitlements(List<QueueState> leaves) {
        Map<String, Resources> sums = new HashMap<>();
        for (QueueState leaf : leaves) {
            leaf.withAncestors().forEach(path -> sums.merge(path, entitlement(leaf), Resources::plus));
        }
        return sums;
    }

    private Resources wanted(QueueState leaf) {
        return wanted.getOrDefault(leaf.path(), Resources.NONE);
    }

    private Resources entitlement(QueueState leaf) {
        return entitlements.getOrDefault(leaf.path(), Resources.NONE);
    }
}
