package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class QuietProbabilityTest {
    private static final double ROUNDING = 1e-12;

    @Test
    public void matchesTheExampleOfTheClassComment() {
        QuietProbability even = QuietProbability.ofDecrease(0, 0.1);

        assertThat(even.afterQuiet()).isCloseTo(1 / 3.0, within(1e-6));
        assertThat(even.afterOther()).isCloseTo(2 / 3.0, within(1e-6));
    }

    /** Decreases are drawn one after another, around a curve that falls evenly. */
    @Test(timeout = 30_000)
    public void matchesTheFrequencyOfDrawnDecreases() {
        for (double room : new double[] {-1, 0.5, 2}) {
            Random random = new Random(5);
            int[] quiet = new int[2];
            int[] all = new int[2];
            double before = random.nextGaussian();
            int was = 0;
            for (int epoch = 0; epoch < 400_000; epoch++) {
                double next = random.nextGaussian();
                int is = before - next < room ? 1 : 0;
                all[was]++;
                quiet[was] += is;
                was = is;
                before = next;
            }
            QuietProbability quietNow = QuietProbability.ofDecrease(3 * room, 3);

            assertThat(quietNow.afterOther()).as("room %s", room).isCloseTo(quiet[0] / (double) all[0], within(0.01));
            assertThat(quietNow.afterQuiet()).as("room %s", room).isCloseTo(quiet[1] / (double) all[1], within(0.01));
        }
    }

    @Test
    public void isNormallyDistributedForASingleLoss() {
        QuietProbability quietNow = QuietProbability.ofLoss(0.2, 0.2);

        assertThat(quietNow.afterQuiet()).isCloseTo(0.841345, within(1e-5));
        assertThat(quietNow.afterOther()).isEqualTo(quietNow.afterQuiet());
    }

    @Test
    public void isCertainWhenTheThresholdIsFarAway() {
        assertThat(QuietProbability.ofDecrease(1, 1e-9).afterOther()).isCloseTo(1, within(1e-6));
        assertThat(QuietProbability.ofDecrease(Double.POSITIVE_INFINITY, 1).afterQuiet())
                .isCloseTo(1, within(1e-6));
        assertThat(QuietProbability.ofDecrease(-1, 1e-9).afterOther()).isCloseTo(0, within(1e-6));
        assertThat(QuietProbability.ofLoss(-1, 1e-9).afterOther()).isCloseTo(0, within(1e-6));
    }

    @Property(trials = 200)
    public void growsWithTheThresholdAndIsLargerAfterAnEpochThatWasNotQuiet(
            @InRange(minDouble = -10, maxDouble = 10) double room) {
        QuietProbability quietNow = QuietProbability.ofDecrease(room, 1);
        QuietProbability more = QuietProbability.ofDecrease(room + 0.1, 1);

        assertThat(quietNow.afterQuiet()).isBetween(0.0, 1.0).isLessThanOrEqualTo(quietNow.afterOther() + ROUNDING);
        assertThat(more.afterQuiet()).isGreaterThanOrEqualTo(quietNow.afterQuiet() - ROUNDING);
        assertThat(more.afterOther()).isBetween(quietNow.afterOther() - ROUNDING, 1 + ROUNDING);
    }
}
