package io.optimus.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.Test;

public class ArrivalPatternTest {
    private static double[] draw(ArrivalPattern arrivals) {
        return arrivals.draw(10_000, 100_000, new Random(1));
    }

    @Test
    public void areAscendingAndHaveTheGivenSpanAndMean() {
        for (ArrivalPattern arrivals : ArrivalPattern.values()) {
            double[] seconds = draw(arrivals);
            assertThat(seconds).as(arrivals.word()).hasSize(10_000).isSorted();
            assertThat(seconds[0]).isNotNegative();
            // Poisson arrivals end at 100,000 s with a standard deviation of 1 %; that of bursts is larger.
            assertThat(Arrays.stream(seconds).average().orElseThrow()).isCloseTo(50_000, within(6_000.0));
        }
    }

    @Test
    public void aShortLastBurstHoldsAsManyAsItIsLong() {
        double[] seconds = ArrivalPattern.GOOGLE.draw(10_000, 100, new Random(1));
        assertThat(Arrays.stream(seconds).max().orElseThrow()).isLessThanOrEqualTo(100);
        assertThat(Arrays.stream(seconds).distinct().count()).isGreaterThan(9_000);
    }

    @Test
    public void burstsVaryMoreThanPoissonArrivals() {
        assertThat(dispersion(draw(ArrivalPattern.GOOGLE)))
                .isGreaterThan(10 * dispersion(draw(ArrivalPattern.UNIFORM)));
        assertThat(dispersion(draw(ArrivalPattern.POISSON))).isCloseTo(1, within(0.4));
    }

    /** Returns the variance over the mean of the arrivals in 600 s, which is 1 for a Poisson process. */
    private static double dispersion(double[] seconds) {
        double[] counts = new double[200];
        for (double second : seconds) {
            counts[(int) (second / 600)]++;
        }
        double[] full = Arrays.copyOf(counts, 160);
        double mean = Arrays.stream(full).average().orElseThrow();
        return Arrays.stream(full)
                        .map(count -> (count - mean) * (count - mean))
                        .average()
                        .orElseThrow()
                / mean;
    }
}
