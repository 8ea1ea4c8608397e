package io.optimus.am.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.progress.StepLosses.State;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.Test;

/** Epochs of ten steps. */
public final class EndStepsTest {
    private static final StopRule TARGET = new StopRule.TargetLoss(0.5);

    private final StepSamples samples = new StepSamples(10, 100);

    private static StepLosses losses(StepSamples samples, StopRule stop) {
        return new StepLosses(samples, 1, 0, false, stop::stop, point -> {});
    }

    private long endStep(StopRule stop, TrainingMode mode, StepLosses losses) {
        return new EndSteps(stop, false, mode, samples).endStep(losses.decidedBefore());
    }

    @Test
    public void theFirstStepAfterTheDecisionIsTheLastOneWhateverTheBatchIsThen() {
        StepLosses losses = losses(samples, TARGET);
        losses.add(0, new double[9], 0);
        assertThat(endStep(TARGET, TrainingMode.SYNCHRONOUS, losses)).isEqualTo(Long.MAX_VALUE);

        losses.add(9, new double[1], 0);
        samples.change(11, 25);

        assertThat(endStep(TARGET, TrainingMode.SYNCHRONOUS, losses)).isEqualTo(11);
        assertThat(endStep(TARGET, TrainingMode.ASYNCHRONOUS, losses)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    public void whoeverGoesOnKnowsTheDecisionAlsoAfterTheLastStep() {
        StepLosses losses = losses(samples, TARGET);
        losses.add(0, new double[11], 0);
        StepLosses restored = losses(new StepSamples(10, 100), TARGET);

        restored.restore(losses.certain());

        assertThat(restored.decidedBefore()).hasValue(10);
    }

    @Test
    public void aJobThatResumesAnotherOneDecidesByItsOwnRule() {
        State decided = new State(11, List.of(0.4), 0.4, 1, null, 10L);
        StepLosses other = losses(samples, new StopRule.TargetLoss(0.1));
        other.restore(decided);
        assertThat(other.decidedBefore()).isEmpty();
        assertThat(other.stopReason()).isEqualTo(Optional.empty());

        StepLosses looser = losses(samples, TARGET);
        looser.restore(new State(11, List.of(0.4), 0.4, 1, null, null));
        assertThat(looser.decidedBefore()).isEqualTo(OptionalLong.empty());
    }
}
