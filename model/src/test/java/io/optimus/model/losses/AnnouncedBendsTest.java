package io.optimus.model.losses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.Test;

public final class AnnouncedBendsTest {
    private final AnnouncedBends bends = new AnnouncedBends(List.of(30.0, 60.0));
    private final LossHistory history = new LossHistory(10);

    @Test
    public void aCurveHoldsUntilTheNextBendAfterItsFirstStep() {
        assertThat(bends.next(0, 100)).hasValue(30);
        assertThat(bends.next(2999, 100)).hasValue(30);
        assertThat(bends.next(3000, 100)).hasValue(60);
        assertThat(bends.next(6000, 100)).isEmpty();
        assertThat(bends.next(673, 22.45)).as("epoch 30 begins during step 673").hasValue(30);
        assertThat(bends.next(674, 22.45)).hasValue(60);
    }

    @Test
    public void refusesEpochsThatDoNotRiseOrAreTooMany() {
        assertThatThrownBy(() -> new AnnouncedBends(List.of(0.0))).hasMessageContaining("[0.0]");
        assertThatThrownBy(() -> new AnnouncedBends(List.of(2.0, 2.0))).hasMessageContaining("[2.0, 2.0]");
        assertThatThrownBy(() -> new AnnouncedBends(List.of(Double.NaN))).hasMessageContaining("NaN");
        assertThatThrownBy(() -> new AnnouncedBends(List.of(Double.POSITIVE_INFINITY)))
                .hasMessageContaining("Infinity");
        assertThatThrownBy(() -> new AnnouncedBends(Collections.nCopies(101, 1.0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void aCurveBeginsWithTheFirstLossOfOnlyLaterSteps() {
        history.announce(new AnnouncedBends(List.of(2.0)));
        add(7);
        add(15);
        assertThat(history.beforeBend().size()).isZero();
        add(23);
        assertThat(history.sinceBend().steps())
                .as("steps 16 to 23 are on both sides")
                .containsExactly(7, 15, 23);
        add(31);
        assertThat(history.sinceBend().steps()).containsExactly(31);
        assertThat(history.beforeBend().steps()).containsExactly(7, 15, 23);
        add(39);
        assertThat(history.sinceBend().steps()).containsExactly(31, 39);
        assertThat(history.add(new LossPoint(35, 1))).as("steps go on rising").isFalse();
    }

    @Test
    public void epochsAreAveragedAcrossABend() {
        LossHistory without = new LossHistory(10);
        history.announce(new AnnouncedBends(List.of(1.5)));
        for (long step = 4; step < 40; step += 5) {
            add(step);
            without.add(new LossPoint(step, 1.0 / (step + 1)));
        }
        assertThat(history.epochs()).isEqualTo(without.epochs());
    }

    @Test
    public void trainingThatGoesBackBehindABendMeetsItAgain() {
        history.announce(new AnnouncedBends(List.of(2.0)));
        add(19);
        add(29);
        history.bend();
        add(9);
        add(19);
        assertThat(history.sinceBend().steps()).containsExactly(9, 19);
        add(29);
        assertThat(history.sinceBend().steps()).containsExactly(29);
    }

    private void add(long step) {
        assertThat(history.add(new LossPoint(step, 1.0 / (step + 1)))).isTrue();
    }
}
