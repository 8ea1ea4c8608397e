package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.capacity.EarlyRound;
import io.optimus.yarn.round.Wakeup.Call;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class WakeupTest {
    private static final Wakeup.Times TIMES = new Wakeup.Times(600_000, 150, 400, 100);

    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private final Wakeup wakeup = new Wakeup();

    @Test
    public void looksAfterThePlanWhenCapacityIsGivenBackButNotTwiceWithinTheGap() throws Exception {
        long before = Rounds.clock();
        assertThat(call()).isInstanceOf(Call.WholeRound.class);
        for (int look = 1; look <= 3; look++) {
            wakeup.released();
            assertThat(call()).isInstanceOf(Call.LookAfter.class);
            assertThat(Rounds.clock()).isGreaterThanOrEqualTo(before + look * 100L);
        }
    }

    @Test
    public void looksAfterThePlanAllTheSameWhenNothingHappens() throws Exception {
        call();
        long before = Rounds.clock();

        assertThat(call()).isInstanceOf(Call.LookAfter.class);

        assertThat(Rounds.clock()).isGreaterThanOrEqualTo(before + 400);
    }

    @Test
    public void runsAnEarlyRoundAfterItsGap() throws Exception {
        long before = Rounds.clock();
        call();
        wakeup.signal(EarlyRound.ARRIVAL);

        assertThat(call()).isEqualTo(new Call.WholeRound(Set.of(EarlyRound.ARRIVAL)));

        assertThat(Rounds.clock()).isGreaterThanOrEqualTo(before + 150);
    }

    private Call call() throws InterruptedException {
        return wakeup.await(Rounds::clock, TIMES);
    }
}
