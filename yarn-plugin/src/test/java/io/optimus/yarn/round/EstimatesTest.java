package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.convergence.RemainingSteps;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import org.junit.Test;

public final class EstimatesTest {
    private final JobRegistry registry = new JobRegistry(Jobs.MEMORY, GpuSpeeds.ALIKE);
    private final Estimates estimates = new Estimates(registry);
    private final ApplicationFacts caller = new FakeApplications().run(Jobs.attempt(1, 1));

    @Test
    public void predictsByTheStepsPerEpochThatTheJobReported() throws Exception {
        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .setStepsPerEpoch(1)
                        .setStop(StopRuleProto.newBuilder().setMaxEpochs(300))
                        .build());
        estimates.refresh(registry.views());
        assertThat(remaining().endStep()).isEqualTo(300);

        registry.report(
                caller, Jobs.report(1).setStepsPerEpoch(20).setCurrentStep(40).build());
        estimates.refresh(registry.views());

        assertThat(remaining().endStep()).isEqualTo(6000);
        assertThat(remaining().steps()).isEqualTo(5960);
    }

    private RemainingSteps.Predicted remaining() {
        return (RemainingSteps.Predicted)
                estimates.of(caller.attempt().getApplicationId()).orElseThrow().remaining();
    }
}
