package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import org.junit.Test;

public final class JobExplorationTest {
    private final JobExploration exploration = new JobExploration(2);

    @Test
    public void countsStepsOnTheSizeToExploreOnly() {
        exploration.planned(Jobs.size(1, 2), true);

        exploration.stepped(Jobs.size(1, 1), 30);
        exploration.stepped(Jobs.size(1, 2), 20);
        exploration.stepped(Jobs.size(1, 2), -50);
        assertThat(exploration.steps()).isEqualTo(20);

        exploration.planned(Jobs.size(1, 2), false);
        exploration.stepped(Jobs.size(1, 2), 40);
        assertThat(exploration.steps()).isEqualTo(20);
    }

    @Test
    public void countsNothingWhileNoTaskRuns() {
        exploration.stepped(Allocation.NONE, 30);

        assertThat(exploration.steps()).isZero();
    }

    @Test
    public void givesASizeUpOnceAndNoMoreSizesThanTheLimit() {
        assertThat(exploration.giveUp(Jobs.size(1, 2))).isTrue();
        assertThat(exploration.giveUp(Jobs.size(1, 2))).isFalse();
        assertThat(exploration.giveUp(Jobs.size(1, 3))).isTrue();
        assertThat(exploration.giveUp(Jobs.size(1, 4))).isFalse();

        assertThat(exploration.givenUp()).containsExactly(Jobs.size(1, 2), Jobs.size(1, 3));
    }
}
