package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.membership.Resize;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.model.Allocation;
import org.junit.Test;

public class ResizeReasonsTest {
    private static final Allocation ONE = new Allocation(1, 1);
    private static final Allocation TWO = new Allocation(1, 2);

    private final ResizeReasons reasons = new ResizeReasons();

    @Test
    public void aResizeIsOfThePlanUnderWhichItWasAskedFor() {
        ask(plan(7, ONE, "starts"));
        follow(plan(8, TWO, "grows"));

        assertThat(reasons.record(new Resize(Allocation.NONE, ONE, 40, 3, Cause.STARTED), 5_000))
                .isEqualTo(new ResizeRecord(5_000, Allocation.NONE, ONE, 40, 3, false, "starts", 7, true));
    }

    @Test
    public void itsReasonIsThatForWhichTheSizeWasFirstAimedAt() {
        follow(plan(7, ONE, "grows"));
        ask(plan(8, ONE, "stays"));

        ResizeRecord resize = record(Cause.PLANNED);

        assertThat(resize.plan()).isEqualTo(8);
        assertThat(resize.reason()).isEqualTo("grows");
    }

    @Test
    public void aSizeThatIsAimedAtAgainHasItsLaterReason() {
        follow(plan(7, ONE, "grows"));
        follow(plan(8, TWO, "grows more"));
        ask(plan(9, ONE, "shrinks"));

        assertThat(record(Cause.PLANNED).reason()).isEqualTo("shrinks");
    }

    @Test
    public void noPlanIsBlamedForALostTask() {
        ask(exploring(plan(7, ONE, "tries")));

        ResizeRecord resize = record(Cause.WORKER_LOST);

        assertThat(resize.planned()).isFalse();
        assertThat(resize.plan()).isZero();
        assertThat(resize.reason()).isEqualTo("worker_lost");
        assertThat(resize.exploring()).isFalse();
        assertThat(record(Cause.SERVER_LOST).reason()).isEqualTo("server_lost");
    }

    @Test
    public void aSizeThatThePlanTriesIsExplored() {
        ask(exploring(plan(7, ONE, "tries")));

        assertThat(record(Cause.PLANNED).exploring()).isTrue();
    }

    @Test
    public void aJobThatSizesItselfHasAReasonAndNoPlan() {
        ask(Directive.anywhere(4, ONE, "fixed size"));

        ResizeRecord resize = record(Cause.STARTED);

        assertThat(resize.planned()).isTrue();
        assertThat(resize.plan()).isZero();
        assertThat(resize.reason()).isEqualTo("fixed size");
    }

    private void follow(Directive directive) {
        reasons.following(directive);
    }

    private void ask(Directive directive) {
        follow(directive);
        reasons.asked(directive);
    }

    private ResizeRecord record(Cause cause) {
        return reasons.record(new Resize(Allocation.NONE, ONE, 40, 3, cause), 5_000);
    }

    private static Directive plan(long number, Allocation size, String reason) {
        return PlanFollowerFixture.plan(number, size, Allocation.NONE).because(reason);
    }

    private static Directive exploring(Directive of) {
        return new Directive(
                of.plan(),
                of.target(),
                of.reason(),
                true,
                of.graceMillis(),
                of.remainingSeconds(),
                of.remainingTime(),
                of.planned());
    }
}
