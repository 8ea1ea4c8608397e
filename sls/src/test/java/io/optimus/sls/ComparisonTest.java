package io.optimus.sls;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.sls.Measurement.CallTimes;
import io.optimus.sls.measure.Percentiles;
import org.junit.Test;

public class ComparisonTest {
    private static final Figure EVENTS = Figure.ALL.stream()
            .filter(figure -> figure.name().equals("eventThreadCorePercent"))
            .findFirst()
            .orElseThrow();

    private static final Percentiles NOTHING = new Percentiles(0, 0, 0);
    private static final CallTimes CALLS = new CallTimes(NOTHING, NOTHING);

    private double heartbeats = 300;
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

    @Test
    public void seesWhereTheMachineCouldNotFollowInAnyRun() {
        measured(Side.STOCK, 1);
        measured(Side.OURS, 1);
        assertThat(comparison.machineFollowed()).isTrue();

        heartbeats = 200;
        measured(Side.STOCK, 1);

        assertThat(comparison.machineFollowed()).isFalse();
    }

    private void measured(Side side, double... eventPercents) {
        for (double percent : eventPercents) {
            comparison.add(
                    side,
                    new Measurement(
                            CALLS,
                            CALLS,
                            new Measurement.Rates(0, heartbeats, 0, 0),
                            new Measurement.Threads(percent, 0, 0),
                            0,
                            new Measurement.TrainingState(0, 0, 0, 0)));
        }
    }
}
