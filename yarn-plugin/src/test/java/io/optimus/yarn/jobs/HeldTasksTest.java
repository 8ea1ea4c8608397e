package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import org.junit.Test;

public class HeldTasksTest {
    @Test
    public void sumsWorkersOverTheTimeThatTheyWereHeld() {
        HeldTasks held = HeldTasks.NEVER
                .then(Allocation.NONE, 1_000)
                .then(new Allocation(1, 2), 5_000)
                .then(new Allocation(2, 1), 15_000)
                .then(Allocation.NONE, 18_000)
                .then(Allocation.NONE, 60_000);

        assertThat(held.workerSeconds()).isEqualTo(2 * 10 + 1 * 3);
        assertThat(held.largest()).isEqualTo(new Allocation(2, 2));
        assertThat(held.firstMillis()).isEqualTo(5_000);
    }

    @Test
    public void hasNoBeginningBeforeTheFirstTask() {
        assertThat(HeldTasks.NEVER.then(Allocation.NONE, 1_000).firstMillis()).isEqualTo(Long.MAX_VALUE);
    }
}
