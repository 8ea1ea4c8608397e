package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class SpeedFitterTest {
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(16, 16));

    private final SpeedFitter synchronous = new SpeedFitter(SpeedForm.of(TrainingMode.SYNCHRONOUS, 64));
    private final SpeedFitter asynchronous = new SpeedFitter(SpeedForm.of(TrainingMode.ASYNCHRONOUS, 64));

    @Test
    public void recoversASynchronousFunction() {
        SynchronousSpeed truth = new SynchronousSpeed(64, 0.001, 0.05, 0.02, 0.013, 0.002);

        SpeedFit.Fitted fit = fitted(synchronous.fit(measured(truth, sizes()), RANGE));

        SynchronousSpeed found = (SynchronousSpeed) fit.speed().fitted();
        assertThat(found.secondsPerSample()).isCloseTo(0.001, within(1e-12));
        assertThat(found.secondsFixed()).isCloseTo(0.05, within(1e-12));
        assertThat(found.secondsPerRatio()).isCloseTo(0.02, within(1e-12));
        assertThat(found.secondsPerWorker()).isCloseTo(0.013, within(1e-12));
        assertThat(found.secondsPerServer()).isCloseTo(0.002, within(1e-12));
        assertThat(fit.relativeError()).isLessThan(1e-12);
        assertThat(fit.young()).isFalse();
    }

    @Test
    public void recoversAnAsynchronousFunction() {
        AsynchronousSpeed truth = new AsynchronousSpeed(0.2, 0.1, 0, 0.01);

        SpeedFit.Fitted fit = fitted(asynchronous.fit(measured(truth, sizes()), RANGE));

        AsynchronousSpeed found = (AsynchronousSpeed) fit.speed().fitted();
        assertThat(found.secondsFixed()).isCloseTo(0.2, within(1e-12));
        assertThat(found.secondsPerRatio()).isCloseTo(0.1, within(1e-12));
        assertThat(found.secondsPerWorker()).isCloseTo(0, within(1e-12));
        assertThat(found.secondsPerServer()).isCloseTo(0.01, within(1e-12));
    }

    @Test
    public void waitsForThreeSizes() {
        SortedMap<Allocation, Double> two = new TreeMap<>();
        two.put(new Allocation(1, 1), 1.0);
        two.put(new Allocation(1, 2), 1.5);

        assertThat(synchronous.fit(MeasuredSizes.of(two), RANGE)).isEqualTo(new SpeedFit.NotYet(2, 3));

        two.put(new Allocation(2, 1), 1.2);
        assertThat(fitted(synchronous.fit(MeasuredSizes.of(two), RANGE)).young())
                .isTrue();
    }

    @Test
    public void rejectsAFitThatTakesNoTimeOnOneNode() {
        SpeedFit fit = synchronous.fit(ExpectedSpeedTest.SLOW_ON_ONE_NODE, RANGE);

        assertThat(fit).isInstanceOf(SpeedFit.Impossible.class);
    }

    @Test
    public void waitsUntilEachVariableRoleHasVaried() {
        SortedMap<Allocation, Double> oneWorker = new TreeMap<>();
        oneWorker.put(new Allocation(1, 1), 1.0);
        oneWorker.put(new Allocation(2, 1), 1.1);
        oneWorker.put(new Allocation(3, 1), 1.15);

        assertThat(synchronous.fit(MeasuredSizes.of(oneWorker), RANGE)).isEqualTo(new SpeedFit.NotYet(3, 4));
    }

    @Test
    public void needsFewerSizesWhenTheRangeHasFewer() {
        SortedMap<Allocation, Double> one = new TreeMap<>();
        one.put(new Allocation(2, 2), 3.0);
        SizeRange single = new SizeRange(new Allocation(2, 2), new Allocation(2, 2));
        SizeRange pair = new SizeRange(new Allocation(2, 2), new Allocation(2, 3));

        assertThat(fitted(synchronous.fit(MeasuredSizes.of(one), single)).young())
                .isFalse();
        assertThat(asynchronous.fit(MeasuredSizes.of(one), pair)).isEqualTo(new SpeedFit.NotYet(1, 2));
    }

    @Test
    public void countsTheDegreesOfFreedomOfARange() {
        SpeedForm sync = SpeedForm.of(TrainingMode.SYNCHRONOUS, 8);
        SpeedForm async = SpeedForm.of(TrainingMode.ASYNCHRONOUS, 8);

        assertThat(sync.degreesOfFreedom(range(1, 1, 1, 8))).isEqualTo(3);
        assertThat(sync.degreesOfFreedom(range(1, 8, 1, 1))).isEqualTo(3);
        assertThat(sync.degreesOfFreedom(range(1, 2, 1, 2))).isEqualTo(4);
        assertThat(sync.degreesOfFreedom(range(1, 9, 1, 9))).isEqualTo(5);
        assertThat(async.degreesOfFreedom(range(1, 1, 1, 8))).isEqualTo(2);
        assertThat(async.degreesOfFreedom(range(1, 8, 1, 1))).isEqualTo(3);
        assertThat(async.degreesOfFreedom(range(1, 9, 1, 9))).isEqualTo(4);
    }

    @Test
    public void rejectsInvalidBatchesAndRanges() {
        assertThatThrownBy(() -> SpeedForm.of(TrainingMode.SYNCHRONOUS, 0)).hasMessageContaining("0.0");
        assertThatThrownBy(() -> range(2, 1, 1, 1)).hasMessageContaining("2 ps + 1 worker to 1 ps");
        assertThatThrownBy(() -> range(0, 1, 1, 1)).hasMessageContaining("got 1 worker to 1 ps + 1 worker");
    }

    /** For any accepted samples, every size has a finite speed above 0. */
    @Property(trials = 200)
    public void isAboveZeroAndFiniteOnTheWholeRange(
            long seed, @InRange(minInt = 1, maxInt = 20) int count, boolean sync) {
        Random random = new Random(seed);
        SpeedSamples samples = new SpeedSamples();
        for (int i = 0; i < count; i++) {
            double hostile = Math.pow(10, random.nextInt(40) - 20) * random.nextGaussian();
            samples.add(new SpeedSample(
                    new Allocation(random.nextInt(17), random.nextInt(17)),
                    random.nextInt(9) == 0 ? Double.NaN : hostile,
                    random.nextDouble() * 100 - 5));
        }

        SpeedFit fit = (sync ? synchronous : asynchronous).fit(samples.sizes(), RANGE);

        fit.fitted().ifPresent(speed -> {
            for (int p = 1; p <= 16; p++) {
                for (int w = 1; w <= 16; w++) {
                    assertThat(speed.stepsPerSecond(new Allocation(p, w)))
                            .isPositive()
                            .isFinite();
                }
            }
        });
    }

    private static SizeRange range(int minServers, int maxServers, int minWorkers, int maxWorkers) {
        return new SizeRange(new Allocation(minServers, minWorkers), new Allocation(maxServers, maxWorkers));
    }

    private static SpeedFit.Fitted fitted(SpeedFit fit) {
        assertThat(fit).isInstanceOf(SpeedFit.Fitted.class);
        return (SpeedFit.Fitted) fit;
    }

    private static Allocation[] sizes() {
        return new Allocation[] {
            new Allocation(1, 1), new Allocation(1, 3), new Allocation(3, 1),
            new Allocation(3, 5), new Allocation(5, 1), new Allocation(4, 8)
        };
    }

    private static MeasuredSizes measured(SpeedFunction truth, Allocation... sizes) {
        SortedMap<Allocation, Double> measured = new TreeMap<>();
        for (Allocation size : sizes) {
            measured.put(size, truth.stepsPerSecond(size));
        }
        return MeasuredSizes.of(measured);
    }
}
