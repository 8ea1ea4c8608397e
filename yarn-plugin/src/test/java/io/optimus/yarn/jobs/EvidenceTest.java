package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public final class EvidenceTest {
    private long now = 1000;
    private final Evidence evidence = new Evidence(true, () -> now, 8);

    @Test
    public void aJobCanHaveRunOnlyOnWhatItHeld() {
        assertThat(evidence.canHaveRun(Jobs.size(1, 1))).isFalse();

        evidence.holds(Jobs.size(1, 2), now);
        evidence.holds(Jobs.size(0, 0), now);

        assertThat(evidence.canHaveRun(Jobs.size(1, 2))).isTrue();
        assertThat(evidence.canHaveRun(Jobs.size(1, 3))).isFalse();
        assertThat(evidence.canHaveRun(Jobs.size(2, 2))).isFalse();
    }

    @Test
    public void aPauseBeginsAfterItsPlan() {
        evidence.holds(Jobs.size(1, 1), now);
        now = 60_000;
        evidence.planned(7);
        now = 63_000;

        assertThat(evidence.canHavePaused(3_000, 7)).isTrue();
        assertThat(evidence.canHavePaused(3_001, 7)).isFalse();
        assertThat(evidence.canHavePaused(62_000, 6))
                .as("a plan of another ResourceManager")
                .isTrue();
        assertThat(evidence.canHavePaused(86_400_000, 6)).isFalse();
    }

    @Test
    public void aJobMakesNoStepsInAPause() {
        evidence.planned(7);
        for (now = 100_000; now <= 110_000; now += 1_000) {
            evidence.advanced();
        }

        assertThat(evidence.canHavePaused(4_000, 7)).isTrue();
        assertThat(evidence.canHavePaused(50_000, 7)).isFalse();
    }

    @Test
    public void aPauseMayBeLongerThanTheTimeBetweenTwoReports() {
        evidence.planned(7);
        for (now = 100_000; now <= 109_000; now += 1_000) {
            evidence.advanced();
        }
        // The last step before the pause ended at 108,050, just after a report. That of 109,000 tells of it; the next
        // one is early.
        now = 109_700;
        evidence.advanced();

        assertThat(evidence.canHavePaused(109_650 - 108_050, 7)).isTrue();
    }

    @Test
    public void aResizeChangesWhatTheJobHolds() {
        evidence.holds(Jobs.size(1, 1), now);
        evidence.holds(Jobs.size(1, 2), now);
        evidence.holds(Jobs.size(1, 2), now);

        assertThat(evidence.resizes(1_000_000)).isEqualTo(2);
    }

    @Test
    public void anApplicationThatIsOlderThanTheSchedulerIsBelieved() {
        Evidence older = new Evidence(false, () -> now, 8);

        assertThat(older.canHaveRun(Jobs.size(9, 9))).isTrue();
        assertThat(older.canHavePaused(86_400_000, 3)).isTrue();
        assertThat(older.resizes(5)).isEqualTo(5);
    }
}
