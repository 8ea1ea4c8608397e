package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import org.junit.Test;

public class SpeedConfidenceTest {
    private static final SpeedForm FORM = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(16, 16));
    private static final SynchronousSpeed TRUTH = new SynchronousSpeed(64, 0.001, 0.05, 0.02, 0.013, 0.002);

    private final SpeedSamples samples = new SpeedSamples();

    @Test
    public void measuredSizesHaveTheErrorOfTheirMeasurements() {
        measure(1, 1);
        measure(1, 2);
        measure(2, 1);

        assertThat(fit().confidence().standardError(new Allocation(1, 2))).isCloseTo(0.05, within(1e-12));
        measure(1, 2);
        assertThat(fit().confidence().standardError(new Allocation(1, 2))).isLessThan(0.03);
    }

    @Test
    public void errorGrowsWithTheDistanceFromMeasuredSizes() {
        measure(1, 1);
        measure(1, 2);
        measure(2, 1);

        SpeedConfidence confidence = fit().confidence();

        double before = 0;
        for (int workers : new int[] {2, 3, 4, 8, 16}) {
            double error = confidence.standardError(new Allocation(1, workers));
            assertThat(error).isGreaterThan(before);
            before = error;
        }
        assertThat(before).isGreaterThan(0.5);
    }

    @Test
    public void errorShrinksWithMoreMeasuredSizes() {
        measure(1, 1);
        measure(1, 2);
        measure(2, 1);
        Allocation far = new Allocation(8, 8);
        double fromThree = fit().confidence().standardError(far);
        measure(1, 5);
        measure(5, 1);
        measure(4, 8);

        assertThat(fit().confidence().standardError(far)).isLessThan(fromThree / 2);
    }

    @Test
    public void fitIsYoungWhileTheNextGrowthIsUncertain() {
        measure(1, 1);
        measure(1, 4);
        measure(4, 1);
        assertThat(fit().young()).isTrue();

        measure(4, 8);
        measure(2, 5);
        measure(6, 6);
        assertThat(fit().young()).isFalse();
        assertThat(fit().confidence().standardError(new Allocation(12, 16))).isLessThan(0.25);
    }

    @Test
    public void fitOfASingleSizeIsNotYoung() {
        measure(2, 2);
        SizeRange single = new SizeRange(new Allocation(2, 2), new Allocation(2, 2));

        SpeedFit.Fitted fit = (SpeedFit.Fitted) new SpeedFitter(FORM).fit(samples.sizes(), single);

        assertThat(fit.young()).isFalse();
    }

    private SpeedFit.Fitted fit() {
        return (SpeedFit.Fitted) new SpeedFitter(FORM).fit(samples.sizes(), RANGE);
    }

    private void measure(int servers, int workers) {
        Allocation size = new Allocation(servers, workers);
        samples.add(new SpeedSample(size, TRUTH.stepsPerSecond(size), 60));
    }
}
