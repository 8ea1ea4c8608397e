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

/** What becomes of a {@link LoneJob} that is not what is typical. */
public class TryingSizesTest {
    private static final SpeedForm SYNCHRONOUS = SpeedForm.of(TrainingMode.SYNCHRONOUS, 64);
    private static final SpeedForm ASYNCHRONOUS = SpeedForm.of(TrainingMode.ASYNCHRONOUS, 64);
    private static final Allocation TWELVE_OF_EACH = new Allocation(12, 12);

    @Rule
    public final Timeout timeout = new Timeout(1, TimeUnit.MINUTES);

    private static void endsNearTheBestAndRests(LoneJob job) {
        job.run(10);
        assertThat(job.partOfFastest()).as("%s", job).isGreaterThan(0.9);
        assertThat(job.tried()).as("%s", job).isLessThanOrEqualTo(16);
        assertThat(job.lastTrial()).as("%s", job).isLessThan(30);
    }

    /** An emulated job: 6 workers are three times as fast as what is typical has it begin on. */
    @Test
    public void findsThatAJobScalesBetterThanIsTypical() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .002, .005, .002, 0, 0);

        endsNearTheBestAndRests(new LoneJob(SYNCHRONOUS, truth, new Allocation(2, 6), 1));
    }

    @Test
    public void findsItOnALargeClusterToo() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .02, .05, .02, 0, 0);

        endsNearTheBestAndRests(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatAJobIsAllComputing() {
        SynchronousSpeed truth = new SynchronousSpeed(64, 1 / 64.0, .01, .01, 0, 0);

        endsNearTheBestAndRests(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatAJobDoesNotScale() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .0001, .5, .01, .05, .001);

        endsNearTheBestAndRests(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatServersCostFourteenTimesWhatIsTypical() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .37 / 64, .355, .23, .04, .014);

        endsNearTheBestAndRests(new LoneJob(SYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsWhereWorkersOfAnAsynchronousJobHinderEachOther() {
        AsynchronousSpeed truth = new AsynchronousSpeed(1, .3, .3, .001);

        endsNearTheBestAndRests(new LoneJob(ASYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void findsThatWorkersOfAnAsynchronousJobDoNotHinderEachOther() {
        AsynchronousSpeed truth = new AsynchronousSpeed(1, .01, .001, 0);

        endsNearTheBestAndRests(new LoneJob(ASYNCHRONOUS, truth, TWELVE_OF_EACH, 30));
    }

    @Test
    public void neverTriesWhereNothingIsLeftToGain() {
        SynchronousSpeed truth = new SynchronousSpeed(64, .002, .005, .002, 0, 0);

        assertThat(new LoneJob(SYNCHRONOUS, truth, new Allocation(2, 6), 30)
                        .run(0.02)
                        .tried())
                .isZero();
    }

    /**
     * Each coefficient is off what is typical by a log-normal factor of deviation 1: by more than 2.7 times in one of three, more
     * than 7 in one of twenty; that of servers up to 50 times as large.
     */
    @Test
    @Category(Slow.class)
    public void endsNearTheBestWhateverAJobIsLike() {
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
