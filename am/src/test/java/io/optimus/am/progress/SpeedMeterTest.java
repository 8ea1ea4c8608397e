package io.optimus.am.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public final class SpeedMeterTest {
    private static final Allocation ONE = new Allocation(1, 1);
    private static final Allocation TWO = new Allocation(1, 2);
    private static final long MILLIS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long STEP_MILLIS = 100;

    private final SpeedMeter meter = new SpeedMeter(5_000);
    private final List<SpeedSample> samples = new ArrayList<>();
    private long step;

    private void steps(int count) {
        for (int i = 0; i < count; i++) {
            step++;
            meter.applied((double) step, step * STEP_MILLIS * MILLIS).ifPresent(samples::add);
        }
    }

    @Test
    public void theFirstSampleTakesAFifthOfAWindowAndTheNextAWholeOne() {
        meter.begin(ONE);

        steps(12);
        assertThat(samples).containsExactly(new SpeedSample(ONE, 10, 1));

        steps(50);
        assertThat(samples).containsExactly(new SpeedSample(ONE, 10, 1), new SpeedSample(ONE, 10, 5));
    }

    @Test
    public void theFirstSampleOfALaterMembershipTakesAWholeWindow() {
        meter.begin(ONE);
        steps(12);
        meter.end();
        samples.clear();

        meter.begin(TWO);
        steps(51);
        assertThat(samples).isEmpty();

        steps(1);
        assertThat(samples).containsExactly(new SpeedSample(TWO, 10, 5));
    }

    @Test
    public void aSampleHasThreeStepsHoweverLongTheyTake() {
        meter.begin(ONE);
        List<Optional<SpeedSample>> made = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            made.add(meter.applied(i, TimeUnit.SECONDS.toNanos(10L * i)));
        }

        assertThat(made.subList(0, 4)).containsOnly(Optional.empty());
        assertThat(made.get(4)).contains(new SpeedSample(ONE, 0.1, 30));
    }

    @Test
    public void steppingThatEndsMakesASampleOfAQuarterWindowAndNotOfLess() {
        meter.begin(ONE);
        steps(12);

        steps(12);
        assertThat(meter.end()).isEmpty();

        meter.begin(ONE);
        steps(15);
        assertThat(meter.end()).contains(new SpeedSample(ONE, 10, 1.3));
    }
}
