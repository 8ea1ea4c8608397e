package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.budget.ProportionalShares.Limit;
import io.optimus.yarn.budget.ProportionalShares.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How much each leaf queue with training applications may use in sum, ordinary applications included: its guarantee
 * and what is idle beside it, up to its maximum and those of its ancestors.
 *
 * <p>Every leaf claims, of its guarantee, what it would use; without training, also what it uses beyond. What is left of the
 * guarantee of a queue above is claimed by those leaves below it that would use more. Idle is what nobody claims; it goes to
 * training. Where several queues want more than there is to divide, they get it in proportion to their guarantees ({@link
 * ProportionalShares}; by dominant shares, for a guarantee may be less than one of a resource), whoever had it before:
 * training can shrink. What ordinary applications hold cannot. So all budgets together keep within every limit.
 *
 * <p>Example, one resource, 100 in all: queue a is promised 60 and uses 60, could use 90; queue b is promised 40, uses
 * 10 and asks for 5 more. b claims 15, a may use 85. Where b has training that could use 50, it claims 40 and a may use
 * 60. With a third queue that is promised 25 of the 100 and idle, a and b, promised 50 and 25, could use 67 and 33.
 *
 * <p>Where b is promised 30 and its idle neighbour in the same parent 10, so that the parent is promised 40, and b asks for
 * 30 more of what it uses, 10, then b claims 40 all the same, and a may use 60.
 */
public final class QueueBudgets {
    private final List<QueueState> queues;
    private final Resources whole;
    private final Map<String, Resources> wanted = new HashMap<>();
    private final Map<String, Resources> claims = new HashMap<>();

    /**
     * What a leaf queue with training applications could use.
     *
     * @param ordinaryUsed what ordinary applications hold
     * @param wanted what everybody in it could use at most
     */
    public record Demand(Resources ordinaryUsed, Resources wanted) {}

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
                wanted.put(queue.path(), demand.wanted());
                claims.put(
                        queue.path(), demand.ordinaryUsed().max(demand.wanted().min(queue.guarantee())));
            }
        }
    }

    /**
     * What each queue of {@code demands} may use.
     *
     * @param queues the whole tree, parents first
     * @param demands of the leaf queues with training applications, by their paths
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

    /** Makes claims of what nobody claims of {@code amount} yet, for the leaves below {@code top} that want more. */
    private void divide(QueueState top, Resources amount, Predicate<String> takes) {
        List<QueueState> below = queues.stream().filter(top::covers).toList();
        Predicate<QueueState> takesMore =
                leaf -> takes.test(leaf.path()) && !wanted(leaf).fitsIn(claim(leaf));
        List<QueueState> leaves =
                below.stream().filter(QueueState::leaf).filter(takesMore).toList();
        if (leaves.isEmpty()) {
            return;
        }
        SortedMap<String, Resources> limits = new TreeMap<>();
        below.forEach(queue -> limits.put(queue.path(), queue.maximum()));
        limits.put(top.path(), amount);
        claims(below.stream()
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
                    claim(leaf).amount(resource),
                    wanted(leaf).amount(resource),
                    leaf.guarantee().dominant(whole).part()));
        }
        List<Limit> together = new ArrayList<>();
        limits.forEach((path, limit) ->
                together.add(new Limit(limit.amount(resource), members.getOrDefault(path, List.of()))));
        long[] shares = ProportionalShares.of(requests, together);
        for (int i = 0; i < shares.length; i++) {
            long more = shares[i] - requests.get(i).least();
            claims.merge(leaves.get(i).path(), Resources.of(Map.of(resource, more)), Resources::plus);
        }
    }

    private SortedMap<String, Resources> totals(Set<String> paths) {
        Map<String, Resources> maxima = new HashMap<>();
        queues.forEach(queue -> maxima.put(queue.path(), queue.maximum()));
        Map<String, Resources> claimed =
                claims(queues.stream().filter(QueueState::leaf).toList());
        SortedMap<String, Resources> totals = new TreeMap<>();
        for (QueueState leaf : queues) {
            if (paths.contains(leaf.path())) {
                Resources idle = leaf.maximum();
                for (String above : leaf.withAncestors()) {
                    Resources others =
                            claimed.getOrDefault(above, Resources.NONE).minus(claim(leaf));
                    idle = idle.min(maxima.getOrDefault(above, Resources.NONE).minus(others));
                }
                totals.put(
                        leaf.path(),
                        idle.max(leaf.guarantee()).min(leaf.maximum()).max(Resources.NONE));
            }
        }
        return totals;
    }

    /** What {@code leaves} claim in sum, by the path of each queue that is one of them or above one. */
    private Map<String, Resources> claims(List<QueueState> leaves) {
        Map<String, Resources> sums = new HashMap<>();
        for (QueueState leaf : leaves) {
            leaf.withAncestors().forEach(path -> sums.merge(path, claim(leaf), Resources::plus));
        }
        return sums;
    }

    private Resources wanted(QueueState leaf) {
        return wanted.getOrDefault(leaf.path(), Resources.NONE);
    }

    private Resources claim(QueueState leaf) {
        return claims.getOrDefault(leaf.path(), Resources.NONE);
    }
}
