package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;
import org.junit.Test;

public final class PauseTest {
    private static final Allocation ONE = new Allocation(1, 1);
    private static final Allocation TWO = new Allocation(1, 2);
    private static final long MILLI = 1_000_000;

    @Test
    public void firstMembershipIsStartWithoutPause() {
        assertThat(Pause.none(0).resize(ONE, 0, 5 * MILLI))
                .isEqualTo(new Resize(Allocation.NONE, ONE, 0, 0, Cause.STARTED));
    }

    @Test
    public void lossDuringPauseReplacesItsCauseAndNotItsBeginning() {
        Pause pause = new Pause(ONE, Cause.PLANNED, 10 * MILLI).because(Cause.WORKER_LOST);
        assertThat(pause.sinceNanos()).isEqualTo(10 * MILLI);
        assertThat(pause.resize(TWO, 7, 20 * MILLI)).isEqualTo(new Resize(ONE, TWO, 20, 7, Cause.WORKER_LOST));
    }
}
