package io.optimus.am.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.Test;

public final class ReportedEpochsTest {
    private final ReportedEpochs epochs = new ReportedEpochs();

    private boolean add(double epoch, double loss) {
        return epochs.add(OptionalDouble.of(epoch), OptionalDouble.of(loss));
    }

    @Test
    public void aLossAtTheEndOfAnEpochBelongsToIt() {
        assertThat(add(0.5, 0.8)).isFalse();
        assertThat(add(1, 0.6)).isTrue();
        assertThat(add(1.1, 0.2)).isFalse();
        assertThat(add(2, 0.4)).isTrue();

        assertThat(epochs.means()).containsExactly(0.7, 0.30000000000000004);
        assertThat(epochs.last()).hasValue(0.30000000000000004);
    }

    @Test
    public void aLossAfterTheEndOfAnEpochBelongsToTheNext() {
        add(0.9, 0.8);
        assertThat(add(1.1, 0.2)).isTrue();
        assertThat(add(2.1, 0.1)).isTrue();

        assertThat(epochs.means()).containsExactly(0.8, 0.2);
    }

    @Test
    public void epochsWithoutLossesLieOnTheLineBetweenOthers() {
        add(1, 0.6);
        assertThat(epochs.add(OptionalDouble.of(3), OptionalDouble.empty())).isTrue();
        assertThat(epochs.means()).containsExactly(0.6, Double.NaN, Double.NaN);

        add(4, 0.3);

        assertThat(epochs.means()).containsExactly(0.6, 0.5, 0.4, 0.3);
    }

    @Test
    public void knowsNothingOfEpochsBeforeTheFirstLoss() {
        add(5, 0.5);

        assertThat(epochs.means()).containsExactly(Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0.5);
    }

    @Test
    public void countsEpochsThatReportNoLoss() {
        assertThat(epochs.add(OptionalDouble.of(2), OptionalDouble.empty())).isTrue();
        assertThat(epochs.add(OptionalDouble.empty(), OptionalDouble.empty())).isFalse();

        assertThat(epochs.means()).containsExactly(Double.NaN, Double.NaN);
        assertThat(epochs.last()).isEmpty();
    }

    @Test
    public void forgetsWhatIsDoneAgain() {
        add(1, 0.6);
        add(2, 0.5);
        add(2.5, 9);

        epochs.stepBack();
        add(1.5, 0.4);
        assertThat(epochs.means()).containsExactly(0.6);
        add(2, 0.2);

        assertThat(epochs.means()).containsExactly(0.6, 0.30000000000000004);
    }
}
