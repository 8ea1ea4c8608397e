package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public final class ProgressWatchdogTest {
    private final ProgressWatchdog standstill = new ProgressWatchdog();

    @Test
    public void isNoticedOnceATimeOut() {
        assertThat(standstill.noticed(true, 7, 0, 100)).isFalse();
        assertThat(standstill.noticed(true, 7, 100, 100)).isFalse();
        assertThat(standstill.noticed(true, 7, 101, 100)).isTrue();
        assertThat(standstill.noticed(true, 7, 102, 100)).isFalse();
        assertThat(standstill.noticed(true, 7, 202, 100)).isTrue();
    }

    @Test
    public void isNoneWhileStepsAreDoneOrTheJobDoesSomethingElse() {
        assertThat(standstill.noticed(true, 7, 0, 100)).isFalse();
        assertThat(standstill.noticed(true, 8, 101, 100)).isFalse();
        assertThat(standstill.noticed(false, 8, 202, 100)).isFalse();
        assertThat(standstill.noticed(true, 8, 303, 100)).isFalse();
        assertThat(standstill.noticed(true, 8, 404, 100)).isTrue();
    }
}
