package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.curve.LossCurve.AcceleratedDecay;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.curve.LossCurve.PowerLaw;
import java.util.List;
import org.junit.Test;

public class LossCurveTest {
    private final LossCurve curve = new InverseDecay(0.5, 1, 0.1, 2, 0);

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
        LossCurve flat = new InverseDecay(0, 2, 0, 1, 7);

        assertThat(flat.isFlat()).isTrue();
        assertThat(flat.limit()).isEqualTo(0.5);
        assertThat(flat.stepAt(0.5).getAsDouble()).isEqualTo(7);
        assertThat(flat.stepAt(0.4)).isEmpty();
    }

    @Test
    public void exponentialDecayHalvesInEqualNumbersOfSteps() {
        LossCurve halving = new ExponentialDecay(2, Math.log(2), 0.1, 5);

        assertThat(halving.lossAt(6)).isCloseTo(1.1, within(1e-12));
        assertThat(halving.lossAt(7)).isCloseTo(0.6, within(1e-12));
        assertThat(halving.stepAt(0.6).getAsDouble()).isCloseTo(7, within(1e-12));
        assertThat(halving.stepAt(0.1)).isEmpty();
    }

    @Test
    public void powerLawTakesLongerForEachHalving() {
        LossCurve root = new PowerLaw(2, 1, 0.5, 0.1, 5);

        assertThat(root.lossAt(8)).isCloseTo(1.1, within(1e-12));
        assertThat(root.lossAt(20)).isCloseTo(0.6, within(1e-12));
        assertThat(root.stepAt(0.6).getAsDouble()).isCloseTo(20, within(1e-9));
        assertThat(root.stepAt(0.1)).isEmpty();
    }

    @Test
    public void acceleratedDecayFallsFasterBeforeItSlowsDown() {
        LossCurve falling = new AcceleratedDecay(2, Math.log(2) / 3, 0.1, 4, 6);

        assertThat(falling.lossAt(6)).isCloseTo(2.1, within(1e-12));
        assertThat(falling.lossAt(8)).isCloseTo(1.1, within(1e-12));
        assertThat(falling.stepAt(1.1).getAsDouble()).isCloseTo(8, within(1e-12));
        assertThat(falling.stepAt(0.1)).isEmpty();
        assertThat(falling.slowFrom(1, 0.4)).isGreaterThan(7.5);
    }

    @Test
    public void findsTheStepFromWhichItDecreasesSlowly() {
        List<LossCurve> curves = List.of(
                curve,
                new InverseDecay(0.01, 1, 0, 1, 700),
                new ExponentialDecay(2, 0.01, 0.1, 30),
                new PowerLaw(2, 0.05, 0.4, 0.1, 30),
                new AcceleratedDecay(2, 0.01, 0.1, 5, 30),
                new PowerLaw(1, 0.001, 3, 0, 0));
        for (LossCurve each : curves) {
            double step = each.slowFrom(100, 0.01);

            assertThat(each.lossAt(step) - each.lossAt(step + 100))
                    .as("%s", each)
                    .isCloseTo(0.01, within(1e-9));
            assertThat(each.slowFrom(100, 10)).isEqualTo(each.firstStep());
            assertThat(each.slowFrom(100, 0)).isInfinite();
            assertThat(each.slowFrom(1e12, Double.MIN_VALUE)).isNotNaN().isGreaterThan(each.slowFrom(100, 0.01));
        }
    }

    @Test
    public void flatCurvesAreSlowFromTheirFirstStep() {
        assertThat(new ExponentialDecay(0, 1, 3, 7).slowFrom(1, 0)).isEqualTo(7);
        assertThat(new PowerLaw(0, 1, 1, 3, 7).slowFrom(1, 0)).isEqualTo(7);
        assertThat(new AcceleratedDecay(0, 1, 3, 6, 7).slowFrom(1, 0)).isEqualTo(7);
        assertThat(new InverseDecay(0, 1, 3, 1, 7).slowFrom(1, 0)).isEqualTo(7);
    }

    @Test
    public void isMultipliedByAFactor() {
        for (LossCurve each : List.of(
                curve,
                new ExponentialDecay(2, 1, 0.1, 0),
                new PowerLaw(2, 1, 0.5, 0.1, 0),
                new AcceleratedDecay(2, 1, 0.1, -1, 0))) {
            assertThat(each.times(3).lossAt(2)).isCloseTo(3 * each.lossAt(2), within(1e-12));
            assertThat(each.times(3).limit()).isCloseTo(3 * each.limit(), within(1e-12));
        }
    }

    @Test
    public void rejectsInvalidParameters() {
        assertThatThrownBy(() -> new InverseDecay(-1, 1, 0, 1, 0)).hasMessageContaining("b0=-1.0");
        assertThatThrownBy(() -> new InverseDecay(0, 0, 0, 1, 0)).hasMessageContaining("b1=0.0");
        assertThatThrownBy(() -> new InverseDecay(1, 1, 0, 0, 0)).hasMessageContaining("scale=0.0");
        assertThatThrownBy(() -> new InverseDecay(1, 1, Double.NaN, 1, 0)).hasMessageContaining("b2=NaN");
        assertThatThrownBy(() -> new ExponentialDecay(-1, 1, 0, 0)).hasMessageContaining("amplitude=-1.0");
        assertThatThrownBy(() -> new ExponentialDecay(1, 0, 0, 0)).hasMessageContaining("rate=0.0");
        assertThatThrownBy(() -> new AcceleratedDecay(1, 1, 0, 7, 7)).hasMessageContaining("origin=7.0");
        assertThatThrownBy(() -> new PowerLaw(1, 1, 0, 0, 0)).hasMessageContaining("exponent=0.0");
        assertThatThrownBy(() -> new PowerLaw(1, 1, 1, Double.NaN, 0)).hasMessageContaining("limit=NaN");
    }
}
