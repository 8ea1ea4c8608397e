package io.optimus.yarn.capacity;

import io.optimus.model.cluster.Resources;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much each leaf queue with training applications may use in sum, ordinary applications included: its guarantee
 * and what is idle beside it, up to its maximum and those of its ancestors.
 *
 * <p>Every leaf claims what it uses, and of its guarantee what it would use; idle is what nobody claims. Queues that are
 * furthest below their guarantee take of the idle capacity first, and what they could use of it is then claimed, so that
 * all budgets together keep within every limit.
 *
 * <p>Example, one resource, 100 in all: queue a is promised 60 and uses 60, could use 90; queue b is promised 40, uses
 * 10 and asks for 5 more. b claims 15, a may use 85. Where b has training that could use 50, it claims 40 and a may use
 * 60.
 */
final class QueueBudgets {
    private final List<QueueState> queues;
    private final Map<String, Resources> claims = new HashMap<>();

    private QueueBudgets(List<QueueState> queues) {
        this.queues = queues;
    }

    /**
     * What each queue of {@code wanted} may use.
     *
     * @param queues the whole tree
     * @param wanted what everybody in a leaf queue with training applications could use at most, by path of the queue
     */
    static SortedMap<String, Resources> of(List<QueueState> queues, Map<String, Resources> wanted) {
        QueueBudgets budgets = new QueueBudgets(queues);
        for (QueueState leaf : queues) {
            if (leaf.leaf()) {
                Resources wants = wanted.getOrDefault(leaf.path(), leaf.used().plus(leaf.pending()));
                budgets.claims.put(leaf.path(), leaf.used().max(wants.min(leaf.guarantee())));
            }
        }
        SortedMap<String, Resources> totals = new TreeMap<>();
        queues.stream()
                .filter(leaf -> leaf.leaf() && wanted.containsKey(leaf.path()))
                .sorted(Comparator.comparingDouble((QueueState leaf) ->
                                leaf.used().dominant(leaf.guarantee()).part())
                        .thenComparing(QueueState::path))
                .forEach(leaf -> {
                    Resources total = budgets.total(leaf);
                    totals.put(leaf.path(), total);
                    Resources could = wanted.getOrDefault(leaf.path(), Resources.NONE);
                    budgets.claims.merge(leaf.path(), could.min(total), Resources::max);
                });
        return totals;
    }

    private Resources total(QueueState leaf) {
        Resources idle = leaf.maximum();
        for (QueueState above : queues) {
            if (above.covers(leaf)) {
                idle = idle.min(above.maximum().minus(claimedBesides(leaf, above)));
            }
        }
        return idle.max(leaf.guarantee()).min(leaf.maximum()).max(Resources.NONE);
    }

    private Resources claimedBesides(QueueState leaf, QueueState above) {
        Resources claimed = Resources.NONE;
        for (QueueState other : queues) {
            if (other.leaf() && above.covers(other) && !other.path().equals(leaf.path())) {
                claimed = claimed.plus(claims.getOrDefault(other.path(), Resources.NONE));
            }
        }
        return claimed;
    }
}
