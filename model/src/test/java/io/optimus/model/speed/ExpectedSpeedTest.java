package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public class ExpectedSpeedTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 32);
    private static final SynchronousSpeed RESNET_50 = new SynchronousSpeed(32, .0039, .4178, .4213, .0074, 0);

    private final TreeMap<Allocation, Double> measured = new TreeMap<>();

    private SpeedFunction expected() {
        return new ExpectedSpeed(SYNCHRONOUS, MeasuredSizes.of(measured)).function();
    }

    private double secondsOn(int servers, int workers) {
        return 1 / expected().stepsPerSecond(new Allocation(servers, workers));
    }

    private void measure(int servers, int workers, double seconds) {
        measured.put(new Allocation(servers, workers), 1 / seconds);
    }

    @Test
    public void predictsRelativeSpeedsBeforeAnyMeasurement() {
        double typical = secondsOn(4, 2) / secondsOn(1, 1);
        measure(1, 1, 3);

        assertThat(secondsOn(4, 2)).isCloseTo(3 * typical, within(1e-6));
    }

    @Test
    public void matchesMeasurementsAndAdjustsNearbySizes() {
        measure(1, 1, 1);
        assertThat(secondsOn(4, 1)).isCloseTo(0.83, within(0.005));

        measure(2, 1, 0.95);

        assertThat(secondsOn(2, 1)).isCloseTo(0.95, within(1e-9));
        assertThat(secondsOn(4, 1)).isCloseTo(0.90, within(0.005));
    }

    @Test
    public void ignoresTheTypicalShapeWhenManySizesWereMeasured() {
        for (int servers = 1; servers <= 8; servers++) {
            for (int workers = 1; workers <= 8; workers++) {
                Allocation size = new Allocation(servers, workers);
                measured.put(size, RESNET_50.stepsPerSecond(size));
            }
        }

        Allocation beyond = new Allocation(20, 2);

        assertThat(expected().stepsPerSecond(beyond)).isCloseTo(RESNET_50.stepsPerSecond(beyond), within(0.03));
    }

    @Test
    public void learnsTheEffectOfSeveralNodes() {
        MeasuredSizes onNodes = new MeasuredSizes(List.of(
                new MeasuredSize(new Allocation(1, 1), 1, 1, 0, 1),
                new MeasuredSize(new Allocation(1, 1), 2, 0.8, 0, 1)));

        SpeedFunction expected = new ExpectedSpeed(SYNCHRONOUS, onNodes).function();

        Allocation size = new Allocation(2, 2);
        assertThat(expected.stepsPerSecond(size, 2)).isLessThan(expected.stepsPerSecond(size, 1));
    }

    /** The measurement on one node is slow by chance. So the fit explains the time of a step by transfers between nodes only. */
    static final MeasuredSizes SLOW_ON_ONE_NODE = new MeasuredSizes(List.of(
            new MeasuredSize(new Allocation(3, 2), 1, 0.2, 0, 1),
            new MeasuredSize(new Allocation(2, 2), 2, 5, 0, 1),
            new MeasuredSize(new Allocation(1, 3), 3, 0.5, 0, 1)));

    @Test
    public void usesATypicalFunctionWhenMeasurementsLeaveNoTimeOnOneNode() {
        SpeedFunction expected = new ExpectedSpeed(SYNCHRONOUS, SLOW_ON_ONE_NODE).function();

        assertThat(expected.stepsPerSecond(new Allocation(3, 2), 1)).isCloseTo(0.2, within(1e-9));
        for (int nodes = 1; nodes <= 2; nodes++) {
            assertThat(expected.stepsPerSecond(new Allocation(1, 1), nodes))
                    .isPositive()
                    .isFinite();
        }
    }

    @Test
    public void isPositiveAndFiniteForAnyMeasurements() {
        for (double stepsPerSecond : new double[] {1e-9, 1, 1e9}) {
            MeasuredSizes sizes =
                    MeasuredSizes.of(Map.of(new Allocation(1, 1), stepsPerSecond, new Allocation(9, 9), 1e3));
            SpeedFunction expected = new ExpectedSpeed(SYNCHRONOUS, sizes).function();

            assertThat(expected.stepsPerSecond(new Allocation(64, 64)))
                    .isPositive()
                    .isFinite();
        }
    }
}
