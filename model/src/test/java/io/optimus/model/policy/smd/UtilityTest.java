package io.optimus.model.policy.smd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.Jobs;
import io.optimus.model.job.JobHistory;
import org.junit.Test;

public class UtilityTest {
    private static final double USUAL = 100;

    @Test
    public void fallsFromItsWeightToNothingAroundTheTarget() {
        Utility utility = new Utility(8, .1, 100);

        assertThat(utility.at(0)).isCloseTo(8, within(.001));
        assertThat(utility.at(100)).isEqualTo(4);
        assertThat(utility.at(110)).isCloseTo(8 / (1 + Math.E), within(1e-12));
        assertThat(utility.at(Double.POSITIVE_INFINITY)).isZero();
        assertThat(new Utility(8, 0, 100).at(1e9)).as("not sensitive").isEqualTo(4);
    }

    @Test
    public void doublesWithEachStepOfPriority() {
        Utility plain = Utility.of(Jobs.resnet("a").snapshot(), USUAL);
        Utility important = Utility.of(Jobs.resnet("a").priority(3).snapshot(), USUAL);

        assertThat(important.at(70)).isEqualTo(8 * plain.at(70));
        assertThat(Utility.of(Jobs.resnet("a").priority(Integer.MAX_VALUE).snapshot(), USUAL)
                        .at(70))
                .isFinite();
    }

    @Test
    public void movesItsTargetByTheJobsAge() {
        Jobs job = Jobs.resnet("a");
        Utility young = Utility.of(job.history(JobHistory.NEW).snapshot(), USUAL);
        Utility old = Utility.of(
                job.history(new JobHistory(900, 0, 0, Allocation.NONE)).snapshot(), USUAL);

        assertThat(young.at(100)).isEqualTo(.5);
        assertThat(old.at(1000)).isEqualTo(.5);
    }
}
