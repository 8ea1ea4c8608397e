package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.Random;
import org.junit.Test;

public class PlacedSpeedTest {
    private static final SpeedForm FORM = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(8, 8));
    private static final PlacedSpeed TRUTH =
            new PlacedSpeed(new SynchronousSpeed(64, 0.001, 0.05, 0.02, 0.013, 0.002), FORM, 0.1, 4);

    @Test
    public void isSlowerOnSeveralNodes() {
        PlacedSpeed speed = new PlacedSpeed(new SynchronousSpeed(1, 0, 1, 0, 0, 0), FORM, 0.4, 4);

        assertThat(speed.seconds(1, new Allocation(2, 2))).isCloseTo(1, within(1e-12));
        assertThat(1 / speed.stepsPerSecond(new Allocation(2, 2), 2)).isCloseTo(1.2, within(1e-12));
        assertThat(speed.stepsPerSecond(new Allocation(3, 2))).isEqualTo(speed.stepsPerSecond(new Allocation(3, 2), 2));
    }

    @Test
    public void slowsAsynchronousWorkersToo() {
        SpeedForm form = SpeedForm.of(TrainingMode.ASYNCHRONOUS, 64);
        PlacedSpeed speed = new PlacedSpeed(new AsynchronousSpeed(1, 0, 0, 0), form, 0.4, 4);

        // Each of the 2 workers takes 1 + 0.4 · 2/2 · 1/2 seconds for an update.
        assertThat(speed.stepsPerSecond(new Allocation(2, 2), 2)).isCloseTo(2 / 1.2, within(1e-12));
    }

    @Test
    public void isFittedFromSizesOnOneNodeAndOnSeveral() {
        SpeedSamples samples = new SpeedSamples();
        for (int[] size : new int[][] {{1, 1, 1}, {1, 3, 1}, {3, 1, 1}, {2, 2, 1}, {2, 4, 2}, {1, 5, 3}, {4, 6, 3}}) {
            add(samples, size[0], size[1], size[2], 1);
        }

        SpeedFit.Fitted fit = (SpeedFit.Fitted) new SpeedFitter(FORM).fit(samples.sizes(), RANGE);

        PlacedSpeed fitted = (PlacedSpeed) fit.speed().fitted();
        assertThat(fitted.secondsPerRatioAcrossNodes()).isCloseTo(0.1, within(1e-9));
        assertThat(fitted.tasksPerNode()).isEqualTo(4);
        Allocation size = new Allocation(3, 5);
        assertThat(fit.speed().stepsPerSecond(size, 4)).isCloseTo(TRUTH.stepsPerSecond(size, 4), within(1e-9));
        assertThat(fit.speed().stepsPerSecond(size)).isCloseTo(TRUTH.stepsPerSecond(size, 2), within(1e-9));
    }

    @Test
    public void isFittedOnlyWhenSizesOnOneNodeAndOnSeveralWereMeasured() {
        SpeedSamples samples = new SpeedSamples();
        for (int[] size : new int[][] {{1, 1, 2}, {1, 3, 2}, {3, 1, 2}, {2, 4, 3}}) {
            add(samples, size[0], size[1], size[2], 1);
        }

        SpeedFit.Fitted fit = (SpeedFit.Fitted) new SpeedFitter(FORM).fit(samples.sizes(), RANGE);

        assertThat(fit.speed().fitted()).isInstanceOf(SynchronousSpeed.class);
        Allocation measured = new Allocation(2, 4);
        assertThat(fit.speed().stepsPerSecond(measured)).isEqualTo(TRUTH.stepsPerSecond(measured, 3));
    }

    /** Another job on the node costs a third of the speed from some time on. Half of the sizes are measured again. */
    @Test
    public void followsASpeedThatDrifts() {
        SpeedSamples drifted = new SpeedSamples();
        for (int[] size : new int[][] {{1, 1, 1}, {1, 3, 1}, {3, 1, 1}, {2, 2, 1}, {2, 4, 2}, {4, 6, 3}}) {
            add(drifted, size[0], size[1], size[2], 1);
        }
        for (int minute = 0; minute < 600; minute++) {
            int[] size = new int[][] {{1, 3, 1}, {2, 4, 2}, {4, 6, 3}}[minute % 3];
            add(drifted, size[0], size[1], size[2], 2 / 3.0);
        }

        SpeedFunction speed =
                new SpeedFitter(FORM).fit(drifted.sizes(), RANGE).fitted().orElseThrow();

        for (Allocation size : new Allocation[] {new Allocation(3, 6), new Allocation(4, 8), new Allocation(2, 5)}) {
            assertThat(speed.stepsPerSecond(size, 3) / TRUTH.stepsPerSecond(size, 3))
                    .as("on %s", size)
                    .isBetween(0.6, 0.75);
        }
    }

    /** Compares fits to noisy speeds with and without the numbers of nodes. */
    @Test
    public void hasSmallerErrorsWhenPlacementCostsTime() {
        SpeedSamples withNodes = new SpeedSamples();
        SpeedSamples without = new SpeedSamples();
        Random random = new Random(7);
        for (int i = 0; i < 24; i++) {
            Allocation size = new Allocation(1 + random.nextInt(8), 1 + random.nextInt(8));
            int nodes = 1 + random.nextInt(Math.min(4, size.tasks()));
            double measured = TRUTH.stepsPerSecond(size, nodes) * Math.exp(0.05 * random.nextGaussian());
            withNodes.add(new SpeedSample(size, nodes, measured, 30));
            without.add(new SpeedSample(size, measured, 30));
        }

        double error = meanError(withNodes);
        double blindError = meanError(without);

        System.out.printf("placement: mean error %.1f %% with nodes, %.1f %% without%n", 100 * error, 100 * blindError);
        assertThat(error).isLessThan(0.06);
        assertThat(blindError).isGreaterThan(1.5 * error);
    }

    private static double meanError(SpeedSamples samples) {
        SpeedFunction speed =
                new SpeedFitter(FORM).fit(samples.sizes(), RANGE).fitted().orElseThrow();
        double sum = 0;
        int count = 0;
        for (int p = 1; p <= 8; p++) {
            for (int w = 1; w <= 8; w++) {
                for (int nodes = 1; nodes <= Math.min(4, p + w); nodes++) {
                    Allocation size = new Allocation(p, w);
                    sum += Math.abs(speed.stepsPerSecond(size, nodes) / TRUTH.stepsPerSecond(size, nodes) - 1);
                    count++;
                }
            }
        }
        return sum / count;
    }

    private static void add(SpeedSamples samples, int servers, int workers, int nodes, double part) {
        Allocation size = new Allocation(servers, workers);
        samples.add(new SpeedSample(size, nodes, part * TRUTH.stepsPerSecond(size, nodes), 60));
    }
}
