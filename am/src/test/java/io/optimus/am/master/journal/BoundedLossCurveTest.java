package io.optimus.am.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.losses.LossPoint;
import org.junit.Test;

public class BoundedLossCurveTest {
    @Test
    public void mergesNeighboursWhenFull() {
        BoundedLossCurve curve = new BoundedLossCurve(4);
        for (int step = 1; step <= 5; step++) {
            curve.add(new LossPoint(step, 10 - 2 * step));
        }

        assertThat(curve.points()).containsExactly(new LossPoint(2, 7), new LossPoint(4, 3), new LossPoint(5, 0));
    }

    @Test
    public void staysBoundedAndKeepsTheMeanOfAnyNumberOfPoints() {
        BoundedLossCurve curve = new BoundedLossCurve(64);
        for (int step = 1; step <= 100_000; step++) {
            curve.add(new LossPoint(step, step % 2));
        }

        assertThat(curve.points()).hasSizeLessThanOrEqualTo(64);
        assertThat(curve.points().get(0).loss()).isCloseTo(0.5, within(0.01));
        assertThat(curve.points().get(curve.points().size() - 1).step()).isEqualTo(100_000);
    }

    @Test
    public void ignoresInvalidLossesAndEarlierSteps() {
        BoundedLossCurve curve = new BoundedLossCurve(4);
        curve.add(new LossPoint(3, 1));
        curve.add(new LossPoint(3, 2));
        curve.add(new LossPoint(2, 2));
        curve.add(new LossPoint(4, Double.NaN));
        curve.add(new LossPoint(5, Double.POSITIVE_INFINITY));

        assertThat(curve.points()).containsExactly(new LossPoint(3, 1));
    }

    @Test
    public void forgetsLossesThatWillComeAgain() {
        BoundedLossCurve curve = new BoundedLossCurve(4);
        curve.add(new LossPoint(1, 3));
        curve.add(new LossPoint(2, 2));
        curve.stepBackTo(2);
        curve.add(new LossPoint(2, 2.5));

        assertThat(curve.points()).containsExactly(new LossPoint(1, 3), new LossPoint(2, 2.5));
    }
}
