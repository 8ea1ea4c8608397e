package io.optimus.model.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import org.apache.commons.math3.special.Erf;
import org.junit.Test;

public class StandardNormalTest {
    @Test
    public void matchesTheComplementaryErrorFunctionInTheTailsToo() {
        for (double z = -30; z <= 30; z += 0.01) {
            double reference = Erf.erfc(-z / Math.sqrt(2)) / 2;
            assertThat(StandardNormal.below(z)).as("at %s", z).isCloseTo(reference, withPercentage(1.2e-5));
        }
    }

    @Test
    public void isZeroOrOneAtInfinity() {
        assertThat(StandardNormal.below(Double.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(StandardNormal.below(Double.NEGATIVE_INFINITY)).isZero();
        assertThat(StandardNormal.below(0)).isCloseTo(0.5, within(1e-7));
    }
}
