package io.optimus.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public final class AllocationTest {
    @Test
    public void namesOnlyRolesThatThereAre() {
        assertThat(new Allocation(2, 1)).hasToString("2 ps + 1 worker");
        assertThat(new Allocation(0, 4)).hasToString("4 workers");
        assertThat(new Allocation(2, 0)).hasToString("2 ps");
        assertThat(Allocation.NONE).hasToString("0 workers");
    }
}
