package io.optimus.model.losses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.Test;

public class LossHistoryTest {
    private final LossHistory history = new LossHistory(10, 8);

    @Test
    public void keepsPointsAsTheyComeWhileThereIsRoom() {
        for (int step = 1; step <= 7; step++) {
            history.add(new LossPoint(step, 10.0 / step));
        }

        assertThat(history.points()).hasSize(7).startsWith(new LossPoint(1, 10)).endsWith(new LossPoint(7, 10.0 / 7));
    }

    @Test
    public void averagesNeighboursWhenFullAndAllThatCome() {
        for (int step = 0; step < 10; step++) {
            history.add(new LossPoint(2L * step, step));
        }

        // (0,1) (2,3) (4,5) (6,7) after the eighth, then (8,9)
        assertThat(history.points())
                .containsExactly(
                        new LossPoint(1, 0.5),
                        new LossPoint(5, 2.5),
                        new LossPoint(9, 4.5),
                        new LossPoint(13, 6.5),
                        new LossPoint(17, 8.5));
    }

    @Test
    public void ignoresAndCountsWhatIsNoPointOfACurve() {
        history.add(new LossPoint(5, 1));
        double[] losses = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300};
        for (int i = 0; i < losses.length; i++) {
            assertThat(history.add(new LossPoint(6 + i, losses[i]))).isFalse();
        }
        assertThat(history.add(new LossPoint(5, 1))).as("duplicate").isFalse();
        assertThat(history.add(new LossPoint(4, 1))).as("unordered").isFalse();
        assertThat(history.add(new LossPoint(-1, 1))).as("negative").isFalse();

        assertThat(history.ignored()).isEqualTo(losses.length + 3);
        assertThat(history.taken()).isEqualTo(1);
        assertThat(history.points()).containsExactly(new LossPoint(5, 1));
    }

    @Test
    public void beginsANewCurveAtABend() {
        history.add(new LossPoint(5, 1));
        history.add(new LossPoint(9, 0.8));
        history.bend();
        assertThat(history.add(new LossPoint(10, Double.NaN))).isFalse();
        assertThat(history.add(new LossPoint(7, 0.5)))
                .as("a restart may step back")
                .isTrue();
        assertThat(history.add(new LossPoint(7, 0.5))).isFalse();

        assertThat(history.points()).containsExactly(new LossPoint(7, 0.5));
    }

    @Test
    public void staysSmallUnderTenMillionPoints() {
        LossHistory large = new LossHistory(1000);
        for (int step = 0; step < 10_000_000; step++) {
            large.add(new LossPoint(step, step));
        }

        assertThat(large.points()).hasSizeBetween(256, 512);
        assertThat(large.points()).allMatch(point -> Math.abs(point.step() - point.loss()) <= 0.5);
        assertThat(large.taken()).isEqualTo(10_000_000);
    }

    @Test
    public void measuresDecreasesAgainstTheLargestEpoch() {
        assertThat(history.epochs().largest()).isZero();
        history.add(new LossPoint(4, 8));
        assertThat(history.epochs().largest()).isEqualTo(8);
        history.add(new LossPoint(7, 4));
        // 8 for one step (nothing is known before it), 4 for three
        assertThat(history.epochs().largest()).isCloseTo(5, within(1e-12));
        history.add(new LossPoint(15, 100));
        assertThat(history.epochs().largest())
                .as("the second epoch is not over")
                .isCloseTo(5, within(1e-12));
        history.add(new LossPoint(25, 1));
        assertThat(history.epochs().largest()).isEqualTo(100);
    }

    @Test
    public void keepsTheMeansOfTheLastEpochsThatEnded() {
        for (int step = 0; step < 1005; step++) {
            history.add(new LossPoint(step, Math.floor(step / 10.0)));
        }

        EpochLosses epochs = history.epochs();
        assertThat(epochs.ended()).isEqualTo(100);
        assertThat(epochs.latest()).hasSizeBetween(20, 50);
        assertThat(epochs.latest().stream().map(Math::round)).endsWith(97L, 98L, 99L);
    }

    @Test
    public void keepsNoEpochsBeforeOneThatNobodySaw() {
        for (int step : new int[] {5, 15, 25, 45, 55, 65}) {
            history.add(new LossPoint(step, step));
        }

        assertThat(history.epochs()).isEqualTo(new EpochLosses(55, List.of(45.0, 55.0), 6));
    }

    @Test
    public void countsEpochsAgainWhenTheirLengthBecomesKnown() {
        LossHistory guessed = new LossHistory(1);
        for (int step = 1; step <= 20; step++) {
            guessed.add(new LossPoint(step, step == 1 ? 100 : 2));
        }
        assertThat(guessed.epochs().largest()).isEqualTo(100);

        guessed.countEpochsBy(10);

        assertThat(guessed.stepsPerEpoch()).isEqualTo(10);
        // Steps 1 to 9 are the first epoch.
        assertThat(guessed.epochs().largest()).isCloseTo((100 + 8 * 2) / 9.0, within(1e-12));
    }

    @Test
    public void refusesSizesThatCannotBe() {
        assertThatThrownBy(() -> new LossHistory(0)).hasMessageContaining("0.0");
        assertThatThrownBy(() -> new LossHistory(1, 3)).hasMessageContaining("3");
    }
}
