package io.optimus.model.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.Test;

public class MediansTest {
    private static final double[] EVEN = {4, 1, 3, 2};
    private static final double[] ODD = {5, 1, 3};

    @Test
    public void distinguishesTheTwoMiddleValuesOfAnEvenCount() {
        assertThat(Medians.upper(EVEN)).isEqualTo(3);
        assertThat(Medians.lower(EVEN)).isEqualTo(2);
        assertThat(Medians.mean(EVEN)).isEqualTo(2.5);
    }

    @Test
    public void returnsTheMiddleValueOfAnOddCount() {
        assertThat(Medians.upper(ODD)).isEqualTo(3);
        assertThat(Medians.lower(ODD)).isEqualTo(3);
        assertThat(Medians.mean(ODD)).isEqualTo(3);
    }

    @Test
    public void doesNotReorderItsInput() {
        Medians.upper(EVEN);

        assertThat(EVEN).containsExactly(4, 1, 3, 2);
    }

    @Test
    public void returnsTheDefaultOnlyWithoutValues() {
        assertThat(Medians.upper(new double[0], 7)).isEqualTo(7);
        assertThat(Medians.upper(ODD, 7)).isEqualTo(3);
        assertThatThrownBy(() -> Medians.upper(new double[0])).hasMessageContaining("no values");
    }
}
