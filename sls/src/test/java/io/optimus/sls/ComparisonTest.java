package io.optimus.sls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class ComparisonTest {
    private static final Figure EVENTS = Figure.ALL.stream()
            .filter(figure -> figure.name().equals("eventThreadCorePercent"))
            .findFirst()
            .orElseThrow();

    private final Comparison comparison = new Comparison(new Workload(300, 10, 10, "drf", 1, 1));

    @Test
    public void dividesMediansSoThatOneDisturbedRunDoesNotCount() {
        measured(Side.STOCK, 10, 11, 90);
        measured(Side.OURS, 12, 11, 12);

        assertThat(comparison.median(Side.STOCK, EVENTS)).isEqualTo(11);
        assertThat(comparison.ratio(EVENTS)).isEqualTo(12.0 / 11);
        assertThat(comparison.isWithin(EVENTS, 1.1)).isTrue();
        assertThat(comparison.isWithin(EVENTS, 1.05)).isFalse();
    }

    @Test
    public void takesTheMeanOfTheMiddleTwoOfAnEvenNumber() {
        measured(Side.OURS, 4, 1, 2, 3);

        assertThat(comparison.median(Side.OURS, EVENTS)).isEqualTo(2.5);
    }

    @Test
    public void hasNoRatioToNothing() {
        measured(Side.STOCK, 0);
        measured(Side.OURS, 1);

        assertThat(comparison.ratio(EVENTS)).isNaN();
    }

    private void measured(Side side, double... eventPercents) {
        for (double percent : eventPercents) {
            comparison.add(side, new Measurement(0, 0, 0, 0, 0, 0, 0, percent, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        }
    }
}
