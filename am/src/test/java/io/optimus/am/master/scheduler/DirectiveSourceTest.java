package io.optimus.am.master.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.model.Allocation;
import java.util.Optional;
import org.junit.Test;

public class DirectiveSourceTest {
    private static final Allocation MINIMUM = new Allocation(1, 2);
    private static final Directive PLAN = PlanFollowerFixture.plan(3, new Allocation(1, 4), Allocation.NONE);

    private Allocation present = Allocation.NONE;
    private final DirectiveSource sizing = new DirectiveSource(MINIMUM, () -> present);

    @Test
    public void followsAnEnforcingScheduler() {
        assertThat(sizing.answered(new SchedulerReply("enforce", Optional.of(PLAN))))
                .contains(PLAN);
        assertThat(sizing.answered(new SchedulerReply("enforce", Optional.empty())))
                .isEmpty();
        assertThat(sizing.sizesItself()).isFalse();
    }

    @Test
    public void runsAtItsMinimumWhereTheSchedulerOnlyAdvises() {
        Optional<Directive> own = sizing.answered(new SchedulerReply("advise", Optional.of(PLAN)));

        assertThat(own.orElseThrow().total()).isEqualTo(MINIMUM);
        assertThat(own.orElseThrow().pinned()).isFalse();
        assertThat(own.orElseThrow().reason()).contains("advise");
        assertThat(sizing.answered(new SchedulerReply("advise", Optional.of(PLAN))))
                .as("decided once")
                .isEmpty();
    }

    @Test
    public void keepsItsSizeWhenTheSchedulerStopsEnforcing() {
        sizing.answered(new SchedulerReply("enforce", Optional.of(PLAN)));
        present = new Allocation(2, 4);

        assertThat(sizing.answered(new SchedulerReply("off", Optional.empty()))
                        .orElseThrow()
                        .total())
                .isEqualTo(present);
        assertThat(sizing.answered(new SchedulerReply("enforce", Optional.of(PLAN))))
                .contains(PLAN);
    }

    @Test
    public void sizesItselfWhereNoSchedulerEverAnswered() {
        assertThat(sizing.silence("connection refused").orElseThrow().total()).isEqualTo(MINIMUM);
    }

    @Test
    public void changesNothingWhenAKnownSchedulerIsSilent() {
        sizing.answered(new SchedulerReply("enforce", Optional.empty()));

        assertThat(sizing.silence("connection refused")).isEmpty();
    }
}
