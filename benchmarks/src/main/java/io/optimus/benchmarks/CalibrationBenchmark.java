package io.optimus.benchmarks;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the speed of this machine: arithmetic, branches and memory access, mixed about as in a round. All other
 * times are multiples of this one, so that thresholds hold on fast and slow machines alike.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CalibrationBenchmark {
    private static final int NUMBERS = 100_000;

    private final double[] numbers = new Random(1).doubles(NUMBERS).toArray();

    /** Sorts 100,000 numbers and divides by each of them. */
    @Benchmark
    public Double loop(ProcessorTime time) {
        return time.of(this::sumOfSorted);
    }

    private double sumOfSorted() {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        double sum = 0;
        for (double number : sorted) {
            sum += 1 / (0.5 + number);
        }
        return sum;
    }
}
