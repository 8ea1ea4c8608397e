package io.optimus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public class GrowthExponentTest {
    @Test
    public void isTheExponentOfAPowerLaw() {
        TreeMap<Integer, Double> millis = new TreeMap<>();
        for (int size : new int[] {100, 1000, 4000}) {
            millis.put(size, 0.003 * Math.pow(size, 1.5));
        }

        assertThat(GrowthExponent.of(millis)).isEqualTo(1.5, within(1e-12));
    }

    @Test
    public void isEmptyForASingleSize() {
        assertThat(GrowthExponent.of(new TreeMap<>(Map.of(100, 2.0)))).isNull();
    }
}
