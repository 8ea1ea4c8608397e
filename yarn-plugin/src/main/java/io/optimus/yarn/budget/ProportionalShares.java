package io.optimus.yarn.budget;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides one resource among claimants that all have something: bit by bit to whoever has least for his weight, as
 * CapacityScheduler hands out containers, until each has what he wants or is at a limit.
 *
 * <p>Example: 100 in all, weights 40, 20 and 10, everybody wants 100: 57, 29 and 14.
 */
final class ProportionalShares {
    /** Of the largest limit: exact for a thousand GPUs, and quick for a million megabytes. */
    private static final int BITS = 1024;

    private final List<Claimant> claimants;
    private final List<List<Integer>> limitsOf;
    private final long[] have;
    private final long[] left;
    private final long bit;

    /**
     * Who wants something.
     *
     * @param least what he has in any case, 0 or more
     * @param most what he wants in all
     * @param weight 0 or more; whoever has none comes last
     */
    record Claimant(long least, long most, double weight) {}

    /**
     * What some may have together; they may have more from the beginning, and get nothing then.
     *
     * @param members indices of the claimants
     */
    record Limit(long amount, List<Integer> members) {
        /** Copies. */
        Limit {
            members = List.copyOf(members);
        }
    }

    private ProportionalShares(List<Claimant> claimants, List<Limit> limits) {
        this.claimants = claimants;
        this.have = claimants.stream().mapToLong(Claimant::least).toArray();
        this.left = limits.stream()
                .mapToLong(limit -> limit.amount()
                        - limit.members().stream()
                                .mapToLong(member -> have[member])
                                .sum())
                .toArray();
        this.limitsOf = claimants.stream()
                .<List<Integer>>map(claimant -> new ArrayList<>())
                .toList();
        for (int limit = 0; limit < limits.size(); limit++) {
            for (int member : limits.get(limit).members()) {
                limitsOf.get(member).add(limit);
            }
        }
        this.bit = 1 + limits.stream().mapToLong(Limit::amount).max().orElse(0) / BITS;
    }

    /** What each of {@code claimants} gets, in their order. */
    static long[] of(List<Claimant> claimants, List<Limit> limits) {
        ProportionalShares shares = new ProportionalShares(claimants, limits);
        List<Integer> open = IntStream.range(0, claimants.size()).boxed().toList();
        while (!open.isEmpty()) {
            open = open.stream().filter(claimant -> shares.room(claimant) > 0).toList();
            open.stream().min(shares::compare).ifPresent(shares::give);
        }
        return shares.have;
    }

    private long room(int claimant) {
        long room = claimants.get(claimant).most() - have[claimant];
        for (int limit : limitsOf.get(claimant)) {
            room = Math.min(room, left[limit]);
        }
        return room;
    }

    /** Of two that have equally much for their weights, the first. */
    private int compare(int one, int other) {
        int byLevel = Double.compare(level(one), level(other));
        return byLevel == 0 ? Integer.compare(one, other) : byLevel;
    }

    private double level(int claimant) {
        double weight = claimants.get(claimant).weight();
        return weight > 0 ? have[claimant] / weight : Double.POSITIVE_INFINITY;
    }

    private void give(int claimant) {
        long more = Math.min(bit, room(claimant));
        have[claimant] += more;
        for (int limit : limitsOf.get(claimant)) {
            left[limit] -= more;
        }
    }
}
