package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;
import org.junit.Test;

public final class PauseClockTest {
    private static final Allocation ONE = new Allocation(1, 1);
    private static final Allocation TWO = new Allocation(1, 2);
    private static final long MILLI = 1_000_000;

    private final PauseClock clock = new PauseClock();

    private void start() {
        clock.begin(0);
        clock.end(ONE, 0, 5 * MILLI);
    }

    @Test
    public void firstMembershipIsStartWithoutPause() {
        clock.begin(0);
        assertThat(clock.end(ONE, 0, 5 * MILLI)).isEqualTo(new Resize(Allocation.NONE, ONE, 0, 0, Cause.STARTED));
    }

    @Test
    public void countsFromEndOfLastStepBefore() {
        start();
        clock.expect(Cause.PLANNED);
        clock.begin(10 * MILLI);
        clock.begin(12 * MILLI);
        assertThat(clock.end(TWO, 7, 17 * MILLI)).isEqualTo(new Resize(ONE, TWO, 7, 7, Cause.PLANNED));
    }

    @Test
    public void lossDuringPauseMakesItLongerNotNew() {
        start();
        clock.expect(Cause.PLANNED);
        clock.begin(10 * MILLI);
        clock.because(Cause.WORKER_LOST);
        clock.begin(20 * MILLI);
        assertThat(clock.end(ONE, 7, 30 * MILLI)).isEqualTo(new Resize(ONE, ONE, 20, 7, Cause.WORKER_LOST));
    }

    @Test
    public void countsOnlyWaitOfWorkersThatDidNotStop() {
        start();
        clock.expect(Cause.PLANNED);
        clock.begin(10 * MILLI);
        clock.onlyFor(2 * MILLI);
        assertThat(clock.end(TWO, 7, 30 * MILLI).pauseMillis()).isEqualTo(2);
    }
}
