package io.optimus.model.belief;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.model.job.JobSnapshot.Belief;
import java.util.Map;
import java.util.Optional;
import org.junit.Test;

public final class LearningModeTest {
    private static final Allocation SMALLEST = new Allocation(1, 1);

    private final LearnedBelief unmeasured = Observed.ofTenEpochs(Observed.nothing(0));
    private final LearnedBelief measured = Observed.ofTenEpochs(Observed.speeds(Map.of(SMALLEST, 3.0), 0));

    @Test
    public void exploringFirstGivesNoSpeedBeforeOneWasMeasured() {
        assertThat(belief(unmeasured, LearningMode.EXPLORE_FIRST).speed()).isEmpty();
        assertThat(belief(unmeasured, LearningMode.EXPLORE_FIRST).remainingSteps())
                .hasValue(200);
        assertThat(belief(measured, LearningMode.EXPLORE_FIRST).speed()).isPresent();
    }

    @Test
    public void tryingSizesGivesATypicalSpeedAndNoRemainingStepsBeforeAStepWasTimed() {
        assertThat(belief(unmeasured, LearningMode.TRY_SIZES).speed()).isPresent();
        assertThat(belief(unmeasured, LearningMode.TRY_SIZES).remainingSteps()).isEmpty();
        assertThat(belief(measured, LearningMode.TRY_SIZES).remainingSteps()).hasValue(200);
    }

    @Test
    public void aFixedSizeIsNeverChangedInOrderToLearn() {
        assertThat(belief(measured, LearningMode.FIXED_SIZE).speed()).isPresent();
        assertThat(belief(measured, LearningMode.FIXED_SIZE).exploration()).isEmpty();
    }

    @Test
    public void exploresAlsoDuringAResize() {
        assertThat(size(LearningMode.EXPLORE_FIRST, Optional.empty(), true))
                .isPresent()
                .isEqualTo(size(LearningMode.EXPLORE_FIRST, Optional.empty(), false));
    }

    @Test
    public void exploresOnlyWhereThereIsRoom() {
        JobSituation full = new JobSituation(running(Optional.empty()), false, size -> false);

        assertThat(measured.belief(LearningMode.EXPLORE_FIRST, full).exploration())
                .isEmpty();
    }

    @Test
    public void triesNoSizeDuringAResizeButStaysWithTheOneOnTrial() {
        Optional<Allocation> worthTrying = size(LearningMode.TRY_SIZES, Optional.empty(), false);

        assertThat(worthTrying).isPresent();
        assertThat(size(LearningMode.TRY_SIZES, Optional.empty(), true)).isEmpty();
        assertThat(size(LearningMode.TRY_SIZES, worthTrying, true)).isEqualTo(worthTrying);
    }

    private Optional<Allocation> size(LearningMode mode, Optional<Allocation> trying, boolean resizing) {
        return measured.belief(mode, new JobSituation(running(trying), resizing, size -> true))
                .exploration();
    }

    private static Belief belief(LearnedBelief belief, LearningMode mode) {
        return belief.belief(mode, new JobSituation(running(Optional.empty()), false, size -> true));
    }

    /** The job has run for a minute, in rounds of a minute, and a resize costs a second. */
    private static Running running(Optional<Allocation> trying) {
        return new Running(SMALLEST, trying, 60, 1, 60);
    }
}
