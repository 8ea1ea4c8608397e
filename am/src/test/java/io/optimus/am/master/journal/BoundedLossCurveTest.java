package io.optimus.am.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.losses.LossPoint;
import org.junit.Test;

public class BoundedLossCurveTest {
    @Test
    public void mergesNeighboursWhenFull() {
        BoundedLossCurve history = new BoundedLossCurve(4);
        for (int step = 1; step <= 5; step++) {
            history.add(new LossPoint(step, 10 - 2 * step));
        }

        assertThat(history.points()).containsExactly(new LossPoint(2, 7), new LossPoint(4, 3), new LossPoint(5, 0));
    }

    @Test
    public void staysBoundedAndKeepsTheMeanOfAnyNumberOfPoints() {
        BoundedLossCurve history = new BoundedLossCurve(64);
        for (int step = 1; step <= 100_000; step++) {
            history.add(new LossPoint(step, step % 2));
        }

        assertThat(history.points()).hasSizeLessThanOrEqualTo(64);
        assertThat(history.points().get(0).loss()).isCloseTo(0.5, within(0.01));
        assertThat(history.points().get(history.points().size() - 1).step()).isEqualTo(100_000);
    }

    @Test
    public void leavesOutWhatIsNoLossOrDoesNotRise() {
        BoundedLossCurve history = new BoundedLossCurve(4);
        history.add(new LossPoint(3, 1));
        history.add(new LossPoint(3, 2));
        history.add(new LossPoint(2, 2));
        history.add(new LossPoint(4, Double.NaN));
        history.add(new LossPoint(5, Double.POSITIVE_INFINITY));

        assertThat(history.points()).containsExactly(new LossPoint(3, 1));
    }

    @Test
    public void forgetsWhatWillComeAgain() {
        BoundedLossCurve history = new BoundedLossCurve(4);
        history.add(new LossPoint(1, 3));
        history.add(new LossPoint(2, 2));
        history.goBackTo(2);
        history.add(new LossPoint(2, 2.5));

        assertThat(history.points()).containsExactly(new LossPoint(1, 3), new LossPoint(2, 2.5));
    }
}
