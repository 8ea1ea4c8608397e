package io.optimus.yarn.budget;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Divides one resource among requests. Each small unit goes to the request with the least share for its weight, as
 * CapacityScheduler assigns containers, until every request has what it wants or is at a limit.
 *
 * <p>Example: 100 in all, weights 40, 20 and 10, each wants 100: they get 57, 29 and 14.
 */
final class ProportionalShares {
    /** The number of units in the largest limit: exact for a thousand GPUs, and fast for a million megabytes. */
    private static final int UNITS = 1024;

    private final List<Request> requests;
    private final List<List<Integer>> limitsOf;
    private final long[] have;
    private final long[] left;
    private final long unit;

    /**
     * One request for a share.
     *
     * @param least amount that it gets in any case, 0 or more
     * @param most amount that it wants in sum
     * @param weight 0 or more; requests with weight 0 come last
     */
    record Request(long least, long most, double weight) {}

    /**
     * A limit on the sum of some requests' shares. If their least amounts already exceed it, they get no more.
     *
     * @param amount the most that they may get together
     * @param members indices of the requests
     */
    record Limit(long amount, List<Integer> members) {
        Limit {
            members = List.copyOf(members);
        }
    }

    private ProportionalShares(List<Request> requests, List<Limit> limits) {
        this.requests = requests;
        this.have = requests.stream().mapToLong(Request::least).toArray();
        this.left = limits.stream()
                .mapToLong(limit -> limit.amount()
                        - limit.members().stream()
                                .mapToLong(member -> have[member])
                                .sum())
                .toArray();
        this.limitsOf = requests.stream()
                .<List<Integer>>map(request -> new ArrayList<>())
                .toList();
        for (int limit = 0; limit < limits.size(); limit++) {
            for (int member : limits.get(limit).members()) {
                limitsOf.get(member).add(limit);
            }
        }
        this.unit = 1 + limits.stream().mapToLong(Limit::amount).max().orElse(0) / UNITS;
    }

    /** The share of each of {@code requests}, in their order. */
    static long[] of(List<Request> requests, List<Limit> limits) {
        ProportionalShares shares = new ProportionalShares(requests, limits);
        List<Integer> open = IntStream.range(0, requests.size()).boxed().toList();
        while (!open.isEmpty()) {
            open = open.stream()
                    .filter(request -> shares.remaining(request) > 0)
                    .toList();
            open.stream().min(shares::compare).ifPresent(shares::give);
        }
        return shares.have;
    }

    private long remaining(int request) {
        long remaining = requests.get(request).most() - have[request];
        for (int limit : limitsOf.get(request)) {
            remaining = Math.min(remaining, left[limit]);
        }
        return remaining;
    }

    /** Orders by share for the weight, then by index. */
    private int compare(int one, int other) {
        int byLevel = Double.compare(level(one), level(other));
        return byLevel == 0 ? Integer.compare(one, other) : byLevel;
    }

    private double level(int request) {
        double weight = requests.get(request).weight();
        return weight > 0 ? have[request] / weight : Double.POSITIVE_INFINITY;
    }

    private void give(int request) {
        long more = Math.min(unit, remaining(request));
        have[request] += more;
        for (int limit : limitsOf.get(request)) {
            left[limit] -= more;
        }
    }
}
