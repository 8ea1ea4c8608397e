package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.LastRun;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class BeliefsTest {
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final Beliefs estimates = new Beliefs(registry, job -> Optional.empty());
    private final FakeApplications applications = new FakeApplications();
    private final ApplicationFacts caller = applications.run(Jobs.attempt(1, 1));

    @Test
    public void predictsByTheStepsPerEpochThatTheJobReported() throws Exception {
        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .setStepsPerEpoch(1)
                        .setStop(StopRuleProto.newBuilder().setMaxEpochs(300))
                        .build());
        estimates.refresh(registry.views(), job -> 8);
        assertThat(remaining().endStep()).isEqualTo(300);

        registry.report(
                caller, Jobs.report(1).setStepsPerEpoch(20).setCurrentStep(40).build());
        estimates.refresh(registry.views(), job -> 8);

        assertThat(remaining().endStep()).isEqualTo(6000);
        assertThat(remaining().steps()).isEqualTo(5960);
    }

    @Test
    public void keepsTheBeliefOfAJobWhoseFitThrowsAndFitsTheOthers() throws Exception {
        Set<ApplicationId> unbearable = new HashSet<>();
        Beliefs estimates = new Beliefs(
                job -> {
                    if (unbearable.contains(job)) {
                        throw new ArithmeticException("no fit of " + job);
                    }
                    return registry.fit(job, new LossCurveFitter());
                },
                job -> Optional.empty());
        ApplicationId known = register(1);
        estimates.refresh(registry.views(), job -> 8);
        Estimate believed = estimates.of(known).orElseThrow();

        ApplicationId unknown = register(2);
        ApplicationId other = register(3);
        registry.report(caller, Jobs.report(1).addLosses(Jobs.loss(10, 2.5)).build());
        unbearable.addAll(Set.of(known, unknown));
        estimates.refresh(registry.views(), job -> 8);

        assertThat(estimates.of(known)).containsSame(believed);
        assertThat(estimates.of(unknown)).isEmpty();
        assertThat(estimates.of(other)).isPresent();
        assertThat(estimates.figures().failures()).isEqualTo(2);

        unbearable.clear();
        estimates.refresh(registry.views(), job -> 8);
        assertThat(estimates.of(known)).isPresent().get().isNotSameAs(believed);
        assertThat(estimates.of(unknown)).isPresent();
    }

    @Test
    public void tellsTheEndOfAJobThatHasRunBefore() throws Exception {
        Beliefs again = new Beliefs(registry, job -> Optional.of(new LastRun(size -> 2, 900, true)));
        registry.register(
                caller,
                Jobs.LIMITS,
                Jobs.registration()
                        .setStop(StopRuleProto.newBuilder().setTargetLoss(0.1))
                        .build());
        again.refresh(registry.views(), any -> 8);
        ApplicationId job = caller.attempt().getApplicationId();

        assertThat(again.of(job).orElseThrow().remainingSteps(0))
                .isInstanceOfSatisfying(RemainingSteps.Predicted.class, end -> assertThat(end.steps())
                        .isEqualTo(900));
        assertThat(again.of(job).orElseThrow().remaining()).isInstanceOf(RemainingSteps.Unknown.class);
    }

    private ApplicationId register(int application) throws Exception {
        ApplicationFacts facts = applications.run(Jobs.attempt(application, 1));
        registry.register(facts, Jobs.LIMITS, Jobs.registration().build());
        return facts.attempt().getApplicationId();
    }

    private RemainingSteps.Predicted remaining() {
        return (RemainingSteps.Predicted)
                estimates.of(caller.attempt().getApplicationId()).orElseThrow().remaining();
    }
}
