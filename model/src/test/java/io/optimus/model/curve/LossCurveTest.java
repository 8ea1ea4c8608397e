package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.Test;

public class LossCurveTest {
    private final LossCurve curve = new LossCurve(0.5, 1, 0.1, 2, 0);

    @Test
    public void fallsTowardsItsLimit() {
        assertThat(curve.lossAt(0)).isCloseTo(2.2, within(1e-12));
        assertThat(curve.lossAt(2)).isCloseTo(1.2, within(1e-12));
        assertThat(curve.limit()).isCloseTo(0.2, within(1e-12));
    }

    @Test
    public void findsTheStepOfALoss() {
        assertThat(curve.stepAt(1.2).getAsDouble()).isCloseTo(2, within(1e-12));
        assertThat(curve.stepAt(5).getAsDouble()).isZero();
        assertThat(curve.stepAt(0.2)).isEmpty();
        assertThat(curve.stepAt(-1)).isEmpty();
    }

    @Test
    public void mayBeFlat() {
        LossCurve flat = new LossCurve(0, 2, 0, 1, 7);

        assertThat(flat.isFlat()).isTrue();
        assertThat(flat.limit()).isEqualTo(0.5);
        assertThat(flat.stepAt(0.5).getAsDouble()).isEqualTo(7);
        assertThat(flat.stepAt(0.4)).isEmpty();
    }

    @Test
    public void refusesWhatRisesOrIsNowhere() {
        assertThatThrownBy(() -> new LossCurve(-1, 1, 0, 1, 0)).hasMessageContaining("b0=-1.0");
        assertThatThrownBy(() -> new LossCurve(0, 0, 0, 1, 0)).hasMessageContaining("b1=0.0");
        assertThatThrownBy(() -> new LossCurve(1, 1, 0, 0, 0)).hasMessageContaining("scale=0.0");
        assertThatThrownBy(() -> new LossCurve(1, 1, Double.NaN, 1, 0)).hasMessageContaining("b2=NaN");
    }
}
