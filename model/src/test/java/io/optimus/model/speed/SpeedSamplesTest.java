package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import org.junit.Test;

public class SpeedSamplesTest {
    private static final Allocation SMALL = new Allocation(1, 1);
    private static final Allocation LARGE = new Allocation(2, 4);

    private final SpeedSamples samples = new SpeedSamples(3);

    @Test
    public void weightsRepeatsByTheirDuration() {
        samples.add(new SpeedSample(SMALL, 10, 30));
        samples.add(new SpeedSample(SMALL, 20, 10));

        assertThat(samples.sizes().stepsPerSecond(SMALL).orElseThrow()).isCloseTo(12.5, within(1e-12));
        assertThat(samples.taken()).isEqualTo(2);
    }

    @Test
    public void followsALastingChangeOfSpeed() {
        for (int minute = 0; minute < 600; minute++) {
            samples.add(new SpeedSample(SMALL, 10, 60));
        }
        for (int minute = 0; minute < 30; minute++) {
            samples.add(new SpeedSample(SMALL, 20, 60));
        }

        assertThat(samples.sizes().stepsPerSecond(SMALL).orElseThrow()).isBetween(19.0, 20.0);
    }

    @Test
    public void ignoresAndCountsInvalidSpeeds() {
        double[] hostile = {Double.NaN, 0, -1, 1e300, 1e-300, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double figure : hostile) {
            assertThat(samples.add(new SpeedSample(SMALL, figure, 1))).isFalse();
        }
        for (double seconds : new double[] {Double.NaN, 0, -1, Double.POSITIVE_INFINITY}) {
            assertThat(samples.add(new SpeedSample(SMALL, 1, seconds))).isFalse();
        }
        assertThat(samples.add(new SpeedSample(new Allocation(0, 4), 1, 1))).isFalse();
        assertThat(samples.add(new SpeedSample(SMALL, 0, 1, 1))).isFalse();
        assertThat(samples.add(new SpeedSample(SMALL, 3, 1, 1))).isFalse();

        assertThat(samples.ignored()).isEqualTo(hostile.length + 7);
        assertThat(samples.sizes().isEmpty()).isTrue();
    }

    @Test
    public void forgetsTheSizeMeasuredLeastRecently() {
        samples.add(new SpeedSample(SMALL, 1, 1));
        samples.add(new SpeedSample(LARGE, 2, 1));
        samples.add(new SpeedSample(new Allocation(3, 3), 3, 1));
        samples.add(new SpeedSample(SMALL, 1, 1));
        samples.add(new SpeedSample(new Allocation(4, 4), 4, 1));

        assertThat(samples.sizes().allocations()).hasSize(3).contains(SMALL).doesNotContain(LARGE);
    }

    @Test
    public void separatesMeasurementsByNumberOfNodes() {
        samples.add(new SpeedSample(LARGE, 1, 10, 30));
        samples.add(new SpeedSample(LARGE, 3, 6, 30));

        assertThat(samples.sizes().sizes()).extracting(MeasuredSize::nodes).containsExactly(1, 3);
        assertThat(samples.sizes().stepsPerSecond(LARGE)).hasValue(6.0);
        assertThat(samples.sizes().tellPlacement()).isTrue();
        assertThat(samples.sizes().densestTasksPerNode()).isEqualTo(6);
    }

    @Test
    public void standardErrorShrinksWithMoreMeasurements() {
        samples.add(new SpeedSample(SMALL, 10, 10));
        double once = samples.sizes().sizes().get(0).standardError();
        for (int i = 0; i < 20; i++) {
            samples.add(new SpeedSample(SMALL, i % 2 == 0 ? 9 : 11, 10));
        }

        assertThat(once).isEqualTo(0.05);
        // The noise of a tenth is divided by the root of 21.
        assertThat(samples.sizes().sizes().get(0).standardError()).isBetween(0.015, 0.03);
    }

    @Test
    public void reducesTheWeightOfOldMeasurements() {
        samples.add(new SpeedSample(SMALL, 10, 60));
        assertThat(samples.sizes().sizes().get(0).weight()).isEqualTo(1);
        for (int minute = 0; minute < 60; minute++) {
            samples.add(new SpeedSample(LARGE, 20, 60));
        }
        assertThat(samples.sizes().sizes().get(0).weight()).isCloseTo(0.5, within(1e-12));
        for (int minute = 0; minute < 6000; minute++) {
            samples.add(new SpeedSample(LARGE, 20, 60));
        }
        assertThat(samples.sizes().sizes().get(0).weight()).isEqualTo(1 / 64.0);
        assertThat(samples.sizes().sizes().get(1).weight()).isEqualTo(1);
    }

    @Test
    public void memoryIsBoundedForMillionsOfSamples() {
        for (int i = 0; i < 2_000_000; i++) {
            samples.add(new SpeedSample(new Allocation(1 + i % 1000, 1 + i % 7), 1 + i % 5, 1));
        }

        assertThat(samples.sizes().allocations()).hasSize(3);
    }
}
