package io.optimus.benchmarks;

import java.util.Comparator;

/**
 * What one benchmark came to.
 *
 * @param benchmark such as {@code allocate}
 * @param policy empty for benchmarks that have none
 * @param jobs 0 for benchmarks that have none
 * @param nodes 0 for benchmarks that have none
 * @param millis mean time of one call
 * @param bytes allocated by one call
 */
record Measured(String benchmark, String policy, int jobs, int nodes, double millis, double bytes)
        implements Comparable<Measured> {
    private static final Comparator<Measured> ORDER = Comparator.comparing(Measured::benchmark)
            .thenComparing(Measured::policy)
            .thenComparingInt(Measured::jobs)
            .thenComparingInt(Measured::nodes);

    @Override
    public int compareTo(Measured other) {
        return ORDER.compare(this, other);
    }
}
