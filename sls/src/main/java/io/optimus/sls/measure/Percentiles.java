package io.optimus.sls.measure;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of times, in microseconds.
 *
 * @param p50 the median
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 */
public record Percentiles(double p50, double p99, double p999) {
    private static final double NANOS_PER_MICRO = 1e3;

    static Percentiles of(Histogram nanos) {
        return new Percentiles(micros(nanos, 50), micros(nanos, 99), micros(nanos, 99.9));
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
}
