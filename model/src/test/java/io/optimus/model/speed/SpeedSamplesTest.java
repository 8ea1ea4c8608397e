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
    public void averagesRepeatsByTheTimeTheyWereMeasuredOver() {
        samples.add(new SpeedSample(SMALL, 10, 30));
        samples.add(new SpeedSample(SMALL, 20, 10));

        assertThat(samples.speeds().get(SMALL)).isCloseTo(12.5, within(1e-12));
        assertThat(samples.taken()).isEqualTo(2);
    }

    @Test
    public void followsASpeedThatChangesForGood() {
        for (int minute = 0; minute < 600; minute++) {
            samples.add(new SpeedSample(SMALL, 10, 60));
        }
        for (int minute = 0; minute < 30; minute++) {
            samples.add(new SpeedSample(SMALL, 20, 60));
        }

        assertThat(samples.speeds().get(SMALL)).isBetween(19.0, 20.0);
    }

    @Test
    public void ignoresAndCountsWhatCannotBeASpeed() {
        double[] hostile = {Double.NaN, 0, -1, 1e300, 1e-300, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double figure : hostile) {
            assertThat(samples.add(new SpeedSample(SMALL, figure, 1))).isFalse();
        }
        for (double seconds : new double[] {Double.NaN, 0, -1, Double.POSITIVE_INFINITY}) {
            assertThat(samples.add(new SpeedSample(SMALL, 1, seconds))).isFalse();
        }
        assertThat(samples.add(new SpeedSample(new Allocation(0, 4), 1, 1))).isFalse();

        assertThat(samples.ignored()).isEqualTo(hostile.length + 5);
        assertThat(samples.speeds()).isEmpty();
    }

    @Test
    public void forgetsTheSizeThatWasMeasuredLongestAgo() {
        samples.add(new SpeedSample(SMALL, 1, 1));
        samples.add(new SpeedSample(LARGE, 2, 1));
        samples.add(new SpeedSample(new Allocation(3, 3), 3, 1));
        samples.add(new SpeedSample(SMALL, 1, 1));
        samples.add(new SpeedSample(new Allocation(4, 4), 4, 1));

        assertThat(samples.speeds()).hasSize(3).containsKey(SMALL).doesNotContainKey(LARGE);
    }

    @Test
    public void startsAgainFromItsOwnHistory() {
        samples.add(new SpeedSample(LARGE, 2, 7));
        samples.add(new SpeedSample(SMALL, 1, 1));
        SpeedSamples again = new SpeedSamples(3);

        samples.merged().forEach(again::add);

        assertThat(again.merged()).isEqualTo(samples.merged());
        assertThat(again.speeds()).isEqualTo(samples.speeds());
    }

    @Test
    public void staysSmallUnderMillionsOfSamples() {
        for (int i = 0; i < 2_000_000; i++) {
            samples.add(new SpeedSample(new Allocation(1 + i % 1000, 1 + i % 7), 1 + i % 5, 1));
        }

        assertThat(samples.speeds()).hasSize(3);
    }
}
