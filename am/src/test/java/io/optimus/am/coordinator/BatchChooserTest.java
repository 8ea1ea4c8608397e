package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.BatchChooser.Choice;
import io.optimus.am.job.BatchSpec;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.Test;

/** Chooses batches from given step times and noise. */
public final class BatchChooserTest {
    private static final int INITIAL = 32;
    private static final int MOST = 512;
    private static final int PER_WORKER = 128;
    /** Much larger batches do as much as so many small ones. */
    private static final GradientNoise NOISY = new GradientNoise(1, 1000);
    /** A second sample says nothing new. */
    private static final GradientNoise QUIET = new GradientNoise(1, 0.001);

    private final BatchChooser chooser = chooser(true, true);

    private static BatchChooser chooser(boolean adapts, boolean accumulates) {
        BatchSpec spec = new BatchSpec(
                OptionalInt.empty(), OptionalInt.of(MOST), OptionalInt.of(PER_WORKER), adapts, accumulates);
        return new BatchChooser(spec, spec.limits(INITIAL, 1));
    }

    /** A part takes 10 ms and 0.1 ms for each sample, the all-reduce 20 ms. */
    private static void measure(BatchChooser chooser, int workers, GradientNoise noise) {
        for (int atomic : new int[] {8, 16, 64}) {
            double computing = 0.01 + 0.0001 * atomic;
            chooser.add(new ThroughputObservation(1, workers, atomic, computing, computing + (workers > 1 ? 0.02 : 0)));
        }
        chooser.add(noise, BatchChooser.FEWEST_MEASURED_STEPS);
    }

    @Test
    public void keepsTheInitialBatchUntilTimesAndNoiseAreKnown() {
        assertThat(chooser.choose(1, 2)).isEqualTo(new Choice(INITIAL, 0));
        chooser.add(NOISY, BatchChooser.FEWEST_MEASURED_STEPS - 1);
        assertThat(chooser.noise()).isEmpty();
        assertThat(chooser.wantsAnother(1, 2)).isFalse();
        chooser.add(NOISY, 1);
        assertThat(chooser.noise()).contains(NOISY);
        assertThat(chooser.wantsAnother(1, 2)).as("no step was timed").isFalse();
        assertThat(chooser.choose(1, 2).batch()).isEqualTo(INITIAL);
    }

    @Test
    public void doublesTheBatchOfNoisyGradientsUpToTheLargest() {
        chooser.choose(1, 2);
        measure(chooser, 2, NOISY);
        for (int batch = 2 * INITIAL; batch <= MOST; batch *= 2) {
            assertThat(chooser.wantsAnother(1, 2)).isTrue();
            assertThat(chooser.choose(1, 2).batch()).isEqualTo(batch);
        }
        assertThat(chooser.current())
                .as("256 samples of a worker in parts of 128")
                .isEqualTo(new Choice(MOST, 1));
        assertThat(chooser.wantsAnother(1, 2)).isFalse();
    }

    @Test
    public void keepsTheSmallBatchOfQuietGradients() {
        chooser.choose(1, 2);
        measure(chooser, 2, QUIET);
        assertThat(chooser.wantsAnother(1, 2)).isFalse();
        assertThat(chooser.choose(1, 2)).isEqualTo(new Choice(INITIAL, 0));
    }

    @Test
    public void goesBackToASmallBatchWhenTheNoiseFalls() {
        chooser.choose(1, 2);
        measure(chooser, 2, NOISY);
        chooser.choose(1, 2);
        chooser.add(QUIET, 1);
        assertThat(chooser.wantsAnother(1, 2)).isTrue();
        assertThat(chooser.choose(1, 2).batch()).isEqualTo(INITIAL);
    }

    @Test
    public void loneWorkerMeasuresNoiseBetweenTwoParts() {
        assertThat(chooser.choose(1, 1)).isEqualTo(new Choice(INITIAL, 1));
        measure(chooser, 1, NOISY);
        assertThat(chooser.wantsAnother(1, 1)).isTrue();
        assertThat(chooser.choose(1, 1)).isEqualTo(new Choice(2 * INITIAL, 1));
    }

    @Test
    public void withoutAccumulationABatchFitsTheWorkersAtOnce() {
        BatchChooser atOnce = chooser(true, false);
        atOnce.choose(1, 2);
        measure(atOnce, 2, NOISY);
        for (int i = 0; i < 5; i++) {
            atOnce.choose(1, 2);
        }
        assertThat(atOnce.current()).isEqualTo(new Choice(2 * PER_WORKER, 0));
        assertThat(atOnce.choose(1, 1)).as("one gradient has no noise").isEqualTo(new Choice(INITIAL, 0));
    }

    @Test
    public void fixedBatchIsComputedInPartsThatFit() {
        BatchSpec spec = new BatchSpec(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(10), false, true);
        BatchChooser fixed = new BatchChooser(spec, spec.limits(INITIAL, 1));
        measure(fixed, 1, NOISY);
        assertThat(fixed.choose(1, 1)).isEqualTo(new Choice(INITIAL, 3));
        assertThat(fixed.choose(1, 4)).isEqualTo(new Choice(INITIAL, 0));
        assertThat(fixed.wantsAnother(1, 4)).isFalse();
    }

    @Test
    public void everyWorkerHasASample() {
        assertThat(chooser.choose(1, 40)).isEqualTo(new Choice(40, 0));
    }

    @Test
    public void goesOnFromACheckpoint() {
        chooser.restore(128, Optional.of(NOISY));
        assertThat(chooser.noise()).contains(NOISY);
        assertThat(chooser.choose(1, 2).batch()).isEqualTo(128);
        measure(chooser, 2, NOISY);
        assertThat(chooser.choose(1, 2).batch()).isEqualTo(256);
    }
}
