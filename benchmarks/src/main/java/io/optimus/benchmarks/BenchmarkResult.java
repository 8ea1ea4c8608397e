package io.optimus.benchmarks;

import java.util.Comparator;

/**
 * What one benchmark came to.
 *
 * @param subject what was measured
 * @param millis mean processor time of one call
 * @param calibrationMillis that the calibration loop took shortly before
 * @param bytes allocated by one call
 */
record BenchmarkResult(Subject subject, double millis, double calibrationMillis, double bytes)
        implements Comparable<BenchmarkResult> {
    /**
     * What is measured.
     *
     * @param benchmark such as {@code allocate}
     * @param policy empty for benchmarks that have none
     * @param round {@code first} or {@code steady}; empty for benchmarks that have none
     * @param jobs 0 for benchmarks that have none
     * @param nodes 0 for benchmarks that have none
     */
    record Subject(String benchmark, String policy, String round, int jobs, int nodes) {}

    private static final Comparator<Subject> ORDER = Comparator.comparing(Subject::benchmark)
            .thenComparing(Subject::policy)
            .thenComparing(Subject::round)
            .thenComparingInt(Subject::jobs)
            .thenComparingInt(Subject::nodes);

    /** As a multiple of the calibration loop. */
    double timesCalibration() {
        return millis / calibrationMillis;
    }

    @Override
    public int compareTo(BenchmarkResult other) {
        return ORDER.compare(subject, other.subject);
    }
}
