package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;

public class MeasuredSpeedTest {
    private static final SpeedFunction ONE_STEP_A_SECOND = new SynchronousSpeed(1, 0, 1, 0, 0, 0);

    @Test
    public void returnsTheMeasuredSpeedOfMeasuredSizes() {
        MeasuredSpeed speed = with(measured(1, 1, 0.5, 4, 2, 3.0));

        assertThat(speed.stepsPerSecond(new Allocation(1, 1))).isEqualTo(0.5);
        assertThat(speed.stepsPerSecond(new Allocation(4, 2))).isEqualTo(3.0);
    }

    @Test
    public void correctionHalvesWhenARoleDoubles() {
        MeasuredSpeed speed = with(measured(1, 1, 0.5));

        assertThat(speed.stepsPerSecond(new Allocation(1, 2))).isCloseTo(Math.pow(0.5, 0.5), within(1e-12));
        assertThat(speed.stepsPerSecond(new Allocation(4, 1))).isCloseTo(Math.pow(0.5, 0.25), within(1e-12));
        assertThat(speed.stepsPerSecond(new Allocation(1, 100_000))).isCloseTo(1, within(1e-4));
    }

    @Test
    public void isMonotoneBetweenAndBeyondMeasuredSizes() {
        MeasuredSpeed speed = with(measured(1, 1, 0.5, 1, 6, 2.0));
        double before = 0;
        for (int workers = 1; workers <= 6; workers++) {
            double here = speed.stepsPerSecond(new Allocation(1, workers));
            assertThat(here).isGreaterThan(before);
            before = here;
        }
        for (int workers = 7; workers < 200; workers++) {
            double here = speed.stepsPerSecond(new Allocation(1, workers));
            assertThat(here).isLessThan(before).isGreaterThan(1);
            before = here;
        }
    }

    @Test
    public void equalsTheFitWithoutMeasurements() {
        assertThat(with(MeasuredSizes.NONE).stepsPerSecond(new Allocation(3, 3)))
                .isEqualTo(1);
    }

    @Test
    public void boundsTheEffectOfAWrongMeasurementOnOtherSizes() {
        MeasuredSpeed speed = with(measured(1, 1, 1e9, 1, 2, 1e-9));

        assertThat(speed.stepsPerSecond(new Allocation(2, 1))).isPositive().isLessThan(1e4);
    }

    @Test
    public void rejectsInvalidSpeeds() {
        assertThatThrownBy(() -> with(measured(1, 1, 0.0))).hasMessageContaining("got 0.0 on 1 ps + 1 worker");
        assertThatThrownBy(() -> with(measured(0, 1, 1.0))).hasMessageContaining("got 1.0 on 1 worker");
    }

    private static MeasuredSpeed with(MeasuredSizes measured) {
        return new MeasuredSpeed(ONE_STEP_A_SECOND, measured);
    }

    private static MeasuredSizes measured(double... triples) {
        SortedMap<Allocation, Double> measured = new TreeMap<>();
        for (int i = 0; i < triples.length; i += 3) {
            measured.put(new Allocation((int) triples[i], (int) triples[i + 1]), triples[i + 2]);
        }
        return MeasuredSizes.of(measured);
    }
}
