package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.yarn.validation.ReportedResize;
import java.util.List;
import org.junit.Test;

public final class JobResizesTest {
    private final JobResizes resizes = new JobResizes(3);

    @Test
    public void eachHasTheReasonOfItsPlan() {
        resizes.planned(decision(7, false, "grows"));
        resizes.planned(decision(8, true, "tries"));

        resizes.take(List.of(byPlan(8), byPlan(7), byPlan(9)));

        assertThat(resizes.last()).extracting(ReportedResize::reason).containsExactly("tries", "grows", "");
        assertThat(resizes.last()).extracting(ReportedResize::exploring).containsExactly(true, false, false);
    }

    @Test
    public void theStartOfAJobIsNoResize() {
        resizes.take(List.of(new ReportedResize(Allocation.NONE, Jobs.size(1, 1), 20, 1, false, ""), byPlan(2)));

        assertThat(resizes.last()).hasSize(2);
        assertThat(resizes.done()).isEqualTo(1);
    }

    @Test
    public void keepsTheLastResizesAndCountsAll() {
        for (int plan = 1; plan <= 5; plan++) {
            resizes.take(List.of(byPlan(plan)));
        }

        assertThat(resizes.last()).extracting(ReportedResize::plan).containsExactly(3L, 4L, 5L);
        assertThat(resizes.done()).isEqualTo(5);
    }

    /** A resize may be told of before YARN has seen all of it. */
    @Test
    public void noMoreAreCountedThanYarnHasSeen() {
        resizes.take(List.of(byPlan(1), byPlan(2), byPlan(3)));

        assertThat(resizes.count(1)).extracting(ReportedResize::plan).containsExactly(1L);
        assertThat(resizes.count(1)).isEmpty();
        assertThat(resizes.count(2)).extracting(ReportedResize::plan).containsExactly(2L);

        for (int i = 0; i < 1_000; i++) {
            resizes.take(List.of(byPlan(4)));
        }
        assertThat(resizes.count(5)).hasSize(3);
    }

    @Test
    public void remembersTheReasonsOfTheLastPlans() {
        for (int plan = 1; plan <= 4; plan++) {
            resizes.planned(decision(plan, false, "plan " + plan));
        }

        resizes.take(List.of(byPlan(1), byPlan(2)));

        assertThat(resizes.last()).extracting(ReportedResize::reason).containsExactly("", "plan 2");
    }

    private static JobTimeline.Decision decision(long plan, boolean exploring, String reason) {
        return new JobTimeline.Decision(plan, 0, Jobs.size(1, 2), exploring, reason);
    }

    private static ReportedResize byPlan(long plan) {
        return new ReportedResize(Jobs.size(1, 1), Jobs.size(1, 2), 20, plan, false, "");
    }
}
