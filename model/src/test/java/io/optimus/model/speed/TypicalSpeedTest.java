package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.TreeMap;
import org.junit.Test;

public class TypicalSpeedTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);

    private final TreeMap<Allocation, Double> measured = new TreeMap<>();

    @Test
    public void isUnknownBeforeTheFirstSample() {
        assertThat(TypicalSpeed.through(SYNCHRONOUS, MeasuredSizes.of(measured)))
                .isEmpty();
    }

    @Test
    public void hasTheTypicalShapeThroughOneMeasuredSize() {
        measured.put(new Allocation(1, 1), 1.0);

        SpeedFunction speed =
                TypicalSpeed.through(SYNCHRONOUS, MeasuredSizes.of(measured)).orElseThrow();

        assertThat(speed.stepsPerSecond(new Allocation(1, 1))).isEqualTo(1);
        assertThat(1 / speed.stepsPerSecond(new Allocation(2, 1))).isCloseTo(0.89, within(1e-9));
        assertThat(1 / speed.stepsPerSecond(new Allocation(2, 2))).isCloseTo(0.86, within(1e-9));
    }

    @Test
    public void matchesEveryMeasuredSize() {
        measured.put(new Allocation(1, 1), 1.0);
        measured.put(new Allocation(1, 4), 3.0);

        SpeedFunction speed =
                TypicalSpeed.through(SYNCHRONOUS, MeasuredSizes.of(measured)).orElseThrow();

        measured.forEach(
                (size, stepsPerSecond) -> assertThat(speed.stepsPerSecond(size)).isEqualTo(stepsPerSecond));
        assertThat(speed.stepsPerSecond(new Allocation(1, 2))).isBetween(1.0, 3.0);
    }

    @Test
    public void addsUpTheSpeedsOfAsynchronousWorkers() {
        measured.put(new Allocation(1, 1), 1.0);

        SpeedFunction speed = TypicalSpeed.through(
                        SpeedForm.of(TrainingMode.ASYNCHRONOUS, 64), MeasuredSizes.of(measured))
                .orElseThrow();

        assertThat(speed.stepsPerSecond(new Allocation(2, 2))).isGreaterThan(1.8);
    }
}
