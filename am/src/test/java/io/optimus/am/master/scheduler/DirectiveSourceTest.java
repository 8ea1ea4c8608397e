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
    private final DirectiveSource source = new DirectiveSource(MINIMUM, () -> present);

    @Test
    public void followsAnEnforcingScheduler() {
        assertThat(source.answered(new SchedulerLink.Reply("enforce", Optional.of(PLAN))))
                .contains(PLAN);
        assertThat(source.answered(new SchedulerLink.Reply("enforce", Optional.empty())))
                .isEmpty();
        assertThat(source.sizesItself()).isFalse();
    }

    @Test
    public void runsAtItsMinimumIfTheSchedulerOnlyAdvises() {
        Optional<Directive> own = source.answered(new SchedulerLink.Reply("advise", Optional.of(PLAN)));

        assertThat(own.orElseThrow().total()).isEqualTo(MINIMUM);
        assertThat(own.orElseThrow().pinned()).isFalse();
        assertThat(own.orElseThrow().reason()).contains("advise");
        assertThat(source.answered(new SchedulerLink.Reply("advise", Optional.of(PLAN))))
                .as("decided once")
                .isEmpty();
    }

    @Test
    public void keepsItsSizeWhenTheSchedulerStopsEnforcing() {
        source.answered(new SchedulerLink.Reply("enforce", Optional.of(PLAN)));
        present = new Allocation(2, 4);

        assertThat(source.answered(new SchedulerLink.Reply("off", Optional.empty()))
                        .orElseThrow()
                        .total())
                .isEqualTo(present);
        assertThat(source.answered(new SchedulerLink.Reply("enforce", Optional.of(PLAN))))
                .contains(PLAN);
    }

    @Test
    public void sizesItselfIfNoSchedulerEverAnswered() {
        assertThat(source.waitedForScheduler().orElseThrow().total()).isEqualTo(MINIMUM);
    }

    @Test
    public void changesNothingIfAKnownSchedulerDoesNotAnswer() {
        source.answered(new SchedulerLink.Reply("enforce", Optional.empty()));

        assertThat(source.waitedForScheduler()).isEmpty();
    }
}
