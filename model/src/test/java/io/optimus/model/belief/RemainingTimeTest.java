package io.optimus.model.belief;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.Test;

public final class RemainingTimeTest {
    @Test
    public void writesAFigureInItsUsualUnit() {
        assertThat(figure(0)).isEqualTo("0 s");
        assertThat(figure(42.4)).isEqualTo("42 s");
        assertThat(figure(120)).isEqualTo("120 s");
        assertThat(figure(1800)).isEqualTo("30 min");
        assertThat(figure(9000)).isEqualTo("2.5 h");
        assertThat(figure(864_000)).isEqualTo("10 d");
    }

    @Test
    public void writesTheUnitOfARangeOnce() {
        assertThat(range(300, 2400)).isEqualTo("5 to 40 min");
        assertThat(range(60, 36_000)).isEqualTo("60 s to 10 h");
        assertThat(range(300, Double.POSITIVE_INFINITY)).isEqualTo("at least 5 min");
    }

    private static String figure(double seconds) {
        return new RemainingTime(OptionalDouble.of(seconds), seconds, seconds).inWords();
    }

    private static String range(double fewest, double most) {
        return new RemainingTime(OptionalDouble.empty(), fewest, most).inWords();
    }
}
