package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.exploration.ExpectedImprovement.Running;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import java.util.Optional;
import org.junit.Before;
import org.junit.Test;

public final class OutlookTest {
    private static final Allocation SMALLEST = Jobs.size(1, 1);

    private final JobRegistry registry = new JobRegistry(Jobs.MEMORY, GpuSpeeds.ALIKE);
    private final Beliefs estimates = new Beliefs(registry);
    private final ApplicationFacts caller = new FakeApplications().run(Jobs.attempt(1, 1));

    @Before
    public void register() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
    }

    @Test
    public void nothingIsBelievedOfAJobBeforeTheFirstRoundThatSawIt() {
        for (boolean exploresFirst : new boolean[] {true, false}) {
            Outlook outlook = Outlook.of(job(), exploresFirst, estimates);

            assertThat(outlook.speed()).isEmpty();
            assertThat(outlook.remainingSteps()).isEmpty();
            assertThat(outlook.sizeToLearnFrom(running(Optional.empty()), false, size -> true))
                    .isEmpty();
        }
    }

    @Test
    public void measuredBelievesNoSpeedBeforeOneWasMeasured() throws Exception {
        estimates.refresh(registry.views());
        assertThat(measured().speed()).isEmpty();
        assertThat(measured().remainingSteps()).hasValue(1000);

        runOnTheSmallest();
        assertThat(measured().speed()).isPresent();
    }

    @Test
    public void expectedBelievesWhatIsTypicalAndNoTimeBeforeAStepWasTimed() throws Exception {
        estimates.refresh(registry.views());
        assertThat(expected().speed()).isPresent();
        assertThat(expected().remainingSteps()).isEmpty();

        runOnTheSmallest();
        assertThat(expected().remainingSteps()).hasValue(1000);
    }

    @Test
    public void measuredExploresAlsoOnTheWayToAnotherSize() throws Exception {
        runOnTheSmallest();

        assertThat(measured().sizeToLearnFrom(running(Optional.empty()), true, size -> true))
                .isPresent()
                .isEqualTo(measured().sizeToLearnFrom(running(Optional.empty()), false, size -> true));
    }

    @Test
    public void measuredExploresNothingThatThereIsNoRoomFor() throws Exception {
        runOnTheSmallest();

        assertThat(measured().sizeToLearnFrom(running(Optional.empty()), false, size -> false))
                .isEmpty();
    }

    @Test
    public void expectedTriesNothingOnTheWayToAnotherSize() throws Exception {
        runOnTheSmallest();
        Optional<Allocation> worthTrying = expected().sizeToLearnFrom(running(Optional.empty()), false, size -> true);
        assertThat(worthTrying).isPresent();

        assertThat(expected().sizeToLearnFrom(running(Optional.empty()), true, size -> true))
                .isEmpty();
        assertThat(expected().sizeToLearnFrom(running(worthTrying), true, size -> true))
                .as("it is on the way to what it tries")
                .isEqualTo(worthTrying);
    }

    private void runOnTheSmallest() throws Exception {
        registry.report(caller, Jobs.report(1).addSpeeds(Jobs.speed(1, 1, 3)).build());
        estimates.refresh(registry.views());
    }

    private Outlook measured() {
        return Outlook.of(job(), true, estimates);
    }

    private Outlook expected() {
        return Outlook.of(job(), false, estimates);
    }

    private JobView job() {
        return registry.view(caller.attempt().getApplicationId()).orElseThrow();
    }

    /** For a minute, in rounds of a minute, where a resize costs a second. */
    private static Running running(Optional<Allocation> trying) {
        return new Running(SMALLEST, trying, 60, 1, 60);
    }
}
