package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class AwakeClockTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = 7 * SECOND;
    private final AwakeClock clock = new AwakeClock(() -> now);

    @Test
    public void goesOnWithTheTimeWhileItTicks() {
        long begun = clock.nanos();
        for (int i = 0; i < 10; i++) {
            now += SECOND / 2;
            assertThat(clock.tick()).isZero();
        }

        assertThat(clock.nanos() - begun).isEqualTo(5 * SECOND);
    }

    @Test
    public void goesOnWhereTheOtherClockIsSetBack() {
        long begun = clock.nanos();
        now -= 600 * SECOND;
        assertThat(clock.tick()).isZero();
        assertThat(clock.nanos() - begun).isZero();

        now += SECOND / 2;
        assertThat(clock.tick()).isZero();
        assertThat(clock.nanos() - begun).isEqualTo(SECOND / 2);
    }

    @Test
    public void leavesOutATimeWithoutATickAlsoBeforeTheNextOne() {
        long begun = clock.nanos();
        now += 60 * SECOND;
        assertThat(clock.nanos() - begun).isEqualTo(SECOND);

        assertThat(clock.tick()).isEqualTo(59 * SECOND);
        assertThat(clock.nanos() - begun).isEqualTo(SECOND);
        now += SECOND / 4;
        assertThat(clock.nanos() - begun).isEqualTo(SECOND + SECOND / 4);
    }
}
