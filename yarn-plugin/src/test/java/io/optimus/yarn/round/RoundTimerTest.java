package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.round.RoundTimer.Call;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class RoundTimerTest {
    private static final RoundTimer.Times TIMES = new RoundTimer.Times(600_000, 150, 400, 100);

    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private final RoundTimer wakeup = new RoundTimer();

    @Test
    public void looksAfterThePlanWhenCapacityIsGivenBackButNotTwiceWithinTheGap() throws Exception {
        long before = ControlLoop.clock();
        assertThat(call()).isInstanceOf(Call.WholeRound.class);
        for (int look = 1; look <= 3; look++) {
            wakeup.released();
            assertThat(call()).isInstanceOf(Call.LookAfter.class);
            assertThat(ControlLoop.clock()).isGreaterThanOrEqualTo(before + look * 100L);
        }
    }

    @Test
    public void looksAfterThePlanAllTheSameWhenNothingHappens() throws Exception {
        call();
        long before = ControlLoop.clock();

        assertThat(call()).isInstanceOf(Call.LookAfter.class);

        assertThat(ControlLoop.clock()).isGreaterThanOrEqualTo(before + 400);
    }

    @Test
    public void runsAnEarlyRoundAfterItsGap() throws Exception {
        long before = ControlLoop.clock();
        call();
        wakeup.signal(RoundTrigger.ARRIVAL);

        assertThat(call()).isEqualTo(new Call.WholeRound(Set.of(RoundTrigger.ARRIVAL)));

        assertThat(ControlLoop.clock()).isGreaterThanOrEqualTo(before + 150);
    }

    private Call call() throws InterruptedException {
        return wakeup.await(ControlLoop::clock, TIMES);
    }
}
