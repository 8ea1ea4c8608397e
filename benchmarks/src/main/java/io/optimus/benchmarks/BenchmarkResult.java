package io.optimus.benchmarks;

import java.util.Comparator;

/**
 * The result of one benchmark.
 *
 * @param subject the measured benchmark
 * @param millis the mean processor time of one call
 * @param calibrationMillis the time of the calibration loop shortly before
 * @param bytes the memory that one call allocated
 */
record BenchmarkResult(Subject subject, double millis, double calibrationMillis, double bytes)
        implements Comparable<BenchmarkResult> {
    /**
     * The subject of a measurement.
     *
     * @param benchmark such as {@code allocate}
     * @param policy empty for benchmarks without a policy
     * @param round {@code first} or {@code steady}; empty for benchmarks without rounds
     * @param jobs 0 for benchmarks of a single job
     * @param nodes 0 for benchmarks without nodes
     */
    record Subject(String benchmark, String policy, String round, int jobs, int nodes) {}

    private static final Comparator<Subject> ORDER = Comparator.comparing(Subject::benchmark)
            .thenComparing(Subject::policy)
            .thenComparing(Subject::round)
            .thenComparingInt(Subject::jobs)
            .thenComparingInt(Subject::nodes);

    /** The time as a multiple of the calibration loop. */
    double timesCalibration() {
        return millis / calibrationMillis;
    }

    @Override
    public int compareTo(BenchmarkResult other) {
        return ORDER.compare(subject, other.subject);
    }
}
