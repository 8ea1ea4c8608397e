package io.optimus.yarn.capacity;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.capacity.ProportionalShares.Claimant;
import io.optimus.yarn.capacity.ProportionalShares.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How much each leaf queue with training applications may use in sum, ordinary applications included: its guarantee
 * and what is idle beside it, up to its maximum and those of its ancestors.
 *
 * <p>Every leaf claims, of its guarantee, what it would use; without training, also what it uses beyond. Idle is what
 * nobody claims. Where several queues want more of it than there is, they get it in proportion to their guarantees ({@link
 * ProportionalShares}), whoever had it before: training can shrink. What ordinary applications hold cannot. So all budgets
 * together keep within every limit.
 *
 * <p>Example, one resource, 100 in all: queue a is promised 60 and uses 60, could use 90; queue b is promised 40, uses
 * 10 and asks for 5 more. b claims 15, a may use 85. Where b has training that could use 50, it claims 40 and a may use
 * 60. With a third queue that is promised 25 of the 100 and idle, a and b, promised 50 and 25, could use 67 and 33.
 */
final class QueueBudgets {
    private final List<QueueState> queues;
    private final Map<String, Resources> claims = new HashMap<>();

    /**
     * What a leaf queue with training applications could use.
     *
     * @param ordinaryUsed what ordinary applications hold
     * @param wanted what everybody in it could use at most
     */
    record Demand(Resources ordinaryUsed, Resources wanted) {}

    private QueueBudgets(List<QueueState> queues) {
        this.queues = queues;
    }

    /**
     * What each queue of {@code demands} may use.
     *
     * @param queues the whole tree
     * @param demands of the leaf queues with training applications, by their paths
     */
    static SortedMap<String, Resources> of(List<QueueState> queues, Map<String, Demand> demands) {
        QueueBudgets budgets = new QueueBudgets(queues);
        List<QueueState> leaves = new ArrayList<>();
        for (QueueState leaf : queues) {
            if (leaf.leaf()) {
                Demand demand = demands.get(leaf.path());
                if (demand == null) {
                    Resources wants = leaf.used().plus(leaf.pending());
                    budgets.claims.put(leaf.path(), leaf.used().max(wants.min(leaf.guarantee())));
                } else {
                    leaves.add(leaf);
                    budgets.claims.put(
                            leaf.path(),
                            demand.ordinaryUsed().max(demand.wanted().min(leaf.guarantee())));
                }
            }
        }
        budgets.divideIdle(leaves, demands);
        SortedMap<String, Resources> totals = new TreeMap<>();
        leaves.forEach(leaf -> totals.put(leaf.path(), budgets.total(leaf)));
        return totals;
    }

    /** Makes what {@code leaves} get of it their claims. */
    private void divideIdle(List<QueueState> leaves, Map<String, Demand> demands) {
        SortedSet<String> resources = new TreeSet<>();
        queues.forEach(queue -> resources.addAll(queue.maximum().amounts().keySet()));
        for (String resource : resources) {
            List<Claimant> claimants = leaves.stream()
                    .map(leaf -> new Claimant(
                            claim(leaf).amount(resource),
                            Optional.ofNullable(demands.get(leaf.path()))
                                    .map(demand -> demand.wanted().amount(resource))
                                    .orElse(0L),
                            leaf.guarantee().amount(resource)))
                    .toList();
            long[] shares = ProportionalShares.of(claimants, limits(leaves, resource));
            for (int i = 0; i < shares.length; i++) {
                long more = shares[i] - claimants.get(i).least();
                claims.merge(leaves.get(i).path(), Resources.of(Map.of(resource, more)), Resources::plus);
            }
        }
    }

    /** Of each queue for those of {@code leaves} that are it or below it, less what others claim there. */
    private List<Limit> limits(List<QueueState> leaves, String resource) {
        List<Limit> limits = new ArrayList<>();
        for (QueueState above : queues) {
            List<Integer> members = IntStream.range(0, leaves.size())
                    .filter(leaf -> above.covers(leaves.get(leaf)))
                    .boxed()
                    .toList();
            Resources others = queues.stream()
                    .filter(leaf -> leaf.leaf() && above.covers(leaf) && !leaves.contains(leaf))
                    .map(this::claim)
                    .reduce(Resources.NONE, Resources::plus);
            limits.add(new Limit(above.maximum().minus(others).amount(resource), members));
        }
        return limits;
    }

    private Resources claim(QueueState leaf) {
        return claims.getOrDefault(leaf.path(), Resources.NONE);
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
                claimed = claimed.plus(claim(other));
            }
        }
        return claimed;
    }
}
