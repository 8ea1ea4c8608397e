package io.optimus.model.policy.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.TrainingMode;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;

/** Tests how a {@link LoneJob} of untypical speed finds its size. */
public class TryingSizesTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);
    private static final SpeedForm ASYNCHRONOUS = SpeedForm.of(TrainingMode.ASYNCHRONOUS, 64);
    private static final Allocation TWELVE_OF_EACH = new Allocation(12, 12);

    @Rule
    public final Timeout timeout = new Timeout(1, TimeUnit.MINUTES);

    private static void endsNearTheBestSizeAndStopsTrying(LoneJob job) {
        job.run(10);
        assertThat(job.partOfFastest()).as("%s", job).isGreaterThan(0.9);
        assertThat(job.tried()).as("%s", job).isLessThanOrEqualTo(16);
        assertThat(job.lastTrial()).as("%s", job).isLessThan(30);
    }

    /** The job is emulated: 6 workers are three times as fast as the size where typical speeds let it begin. */
    @Test
    public void findsThatAJobScalesBetterThanIsTypical() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .002, .005, .002, 0, 0);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(SYNCHRONOUS, truth, new Allocation(2, 6), 1));
    }

    @Test
    public void findsThisAlsoOnALargeCluster() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .02, .05, .02, 0, 0);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatAJobOnlyComputes() {
        SynchronousSpeed truth = new SynchronousSpeed(64, 1 / 64.0, .01, .01, 0, 0);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatAJobDoesNotScale() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .0001, .5, .01, .05, .001);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatServersCostFourteenTimesTheTypicalCost() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .37 / 64, .355, .23, .04, .014);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatWorkersOfAnAsynchronousJobSlowEachOtherDown() {
        AsynchronousSpeed truth = new AsynchronousSpeed(1, .3, .3, .001);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(ASYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatWorkersOfAnAsynchronousJobDoNotSlowEachOtherDown() {
        AsynchronousSpeed truth = new AsynchronousSpeed(1, .01, .001, 0);

        endsNearTheBestSizeAndStopsTrying(new LoneJob(ASYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void triesNoSizeIfNothingIsLeftToGain() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .002, .005, .002, 0, 0);

        assertThat(new LoneJob(SYNCHRONOUS, truth, new Allocation(2, 6), 30)
                        .run(0.02)
                        .tried())
                .isZero();
    }

    /**
     * Each coefficient differs from the typical one by a log-normal factor of deviation 1: by more than 2.7 times in one of
     * three cases, by more than 7 in one of twenty. The coefficient of servers is up to 50 times as large.
     */
    @Test
    @Category(Slow.class)
    public void endsNearTheBestSizeForEverySpeed() {
        Random random = new Random(5);
        double[] parts = new double[25];
        for (int i = 0; i < parts.length; i++) {
            SynchronousSpeed truth = new SynchronousSpeed(
                    64,
                    .37 / 64 * Math.exp(random.nextGaussian()),
                    .355 * Math.exp(random.nextGaussian()),
                    .23 * Math.exp(random.nextGaussian()),
                    .04 * Math.exp(random.nextGaussian()),
                    .001 * Math.pow(50, random.nextDouble()));
            LoneJob job = new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30).run(10);
            parts[i] = job.partOfFastest();
            assertThat(parts[i]).as("%s", job).isGreaterThan(0.88);
        }
        assertThat(Arrays.stream(parts).average().orElseThrow()).isGreaterThan(0.98);
    }
}
