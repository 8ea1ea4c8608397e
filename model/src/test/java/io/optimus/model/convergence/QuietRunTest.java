package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.Test;

public class QuietRunTest {
    private static final QuietProbability EVEN = new QuietProbability(0.5, 0.5);

    @Test
    public void matchesTheExampleOfTheClassComment() {
        QuietRun run = new QuietRun(2, 0);
        double[] goesOn = new double[4];
        for (int epoch = 0; epoch < goesOn.length; epoch++) {
            run.next(EVEN);
            goesOn[epoch] = run.goesOn();
        }

        assertThat(goesOn).containsExactly(1, 0.75, 0.625, 0.5);
    }

    @Test
    public void countsTheQuietEpochsSoFar() {
        QuietRun run = new QuietRun(3, 2);
        run.next(new QuietProbability(0.9, 0));

        assertThat(run.goesOn()).isCloseTo(0.1, within(1e-12));
    }

    @Test
    public void endsAtTheFirstQuietEpochWhenOneIsNeeded() {
        QuietRun run = new QuietRun(1, 0);
        run.next(EVEN);
        run.next(EVEN);

        assertThat(run.goesOn()).isEqualTo(0.25);
    }

    @Test
    public void endsForCertainWithoutNoise() {
        EndEpochs end = EndEpochs.of(new QuietRun(10, 4), 21, epoch -> new QuietProbability(1, 1));

        assertThat(end).isEqualTo(EndEpochs.certain(26));
    }

    @Test
    public void neverEndsWhenNoEpochIsQuiet() {
        EndEpochs end = EndEpochs.of(new QuietRun(3, 0), 1, epoch -> new QuietProbability(0, 0));

        assertThat(end).isEqualTo(EndEpochs.certain(Double.POSITIVE_INFINITY));
    }

    /** The first epoch is so far away that adding one gives the same double. */
    @Test(timeout = 10_000)
    public void terminatesHoweverFarTheFirstEpochIs() {
        EndEpochs end = EndEpochs.of(new QuietRun(3, 0), 1e17, epoch -> new QuietProbability(0, 0));

        assertThat(end).isEqualTo(EndEpochs.certain(Double.POSITIVE_INFINITY));
    }

    /** Four quiet epochs in a row have a probability of 0.1^4. That takes more epochs than are computed one by one. */
    @Test(timeout = 10_000)
    public void extrapolatesBeyondTheEpochsComputedOneByOne() {
        EndEpochs end = EndEpochs.of(new QuietRun(4, 0), 1, epoch -> new QuietProbability(0.1, 0.1));

        // The mean is (1 − q^n)/((1 − q)·q^n) = 11,110; the distribution is almost exponential, with ln 2 of that as
        // its median.
        assertThat(end.median()).isCloseTo(11_110 * Math.log(2), within(10.0));
    }

    /** Epochs are drawn one after another, around a curve whose decrease shrinks by a tenth each epoch. */
    @Test(timeout = 30_000)
    public void matchesDrawnTrainingRuns() {
        double threshold = 0.02;
        for (double noise : new double[] {0.002, 0.01, 0.015}) {
            double[] ends = new double[20_000];
            Random random = new Random(3);
            Arrays.setAll(ends, draw -> drawnEnd(random, threshold, noise));
            Arrays.sort(ends);
            EndEpochs predicted = EndEpochs.of(
                    new QuietRun(10, 0), 1, epoch -> QuietProbability.ofDecrease(threshold - decrease(epoch), noise));

            System.out.printf(
                    "ten quiet epochs with noise %.3f: median %.0f, predicted %.0f; 95 %% within %.0f to %.0f, predicted %.0f to"
                            + " %.0f%n",
                    noise,
                    ends[ends.length / 2],
                    predicted.median(),
                    ends[ends.length / 40],
                    ends[ends.length - ends.length / 40],
                    predicted.early(),
                    predicted.late());
            assertThat(predicted.median() / ends[ends.length / 2]).isBetween(0.85, 1.1);
            assertThat(predicted.early() / ends[ends.length / 40]).isBetween(0.9, 1.1);
            assertThat(predicted.late() / ends[ends.length - ends.length / 40]).isBetween(0.8, 1.1);
        }
    }

    private static double drawnEnd(Random random, double threshold, double noise) {
        double before = noise * random.nextGaussian();
        int row = 0;
        int epoch = 0;
        while (row < 10) {
            epoch++;
            double next = noise * random.nextGaussian();
            row = decrease(epoch) + before - next < threshold ? row + 1 : 0;
            before = next;
        }
        return epoch;
    }

    private static double decrease(double epoch) {
        return 0.2 * Math.pow(0.9, epoch);
    }
}
