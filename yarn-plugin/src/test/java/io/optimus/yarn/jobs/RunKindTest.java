package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.List;
import java.util.Optional;
import org.junit.Test;

public final class RunKindTest {
    private static final StopRule.TargetLoss TARGET = new StopRule.TargetLoss(0.1);

    private static RunKind kind(long batch, StopRule... rules) {
        return new RunKind(
                "ann",
                "mnist",
                false,
                TrainingMode.SYNCHRONOUS,
                batch,
                Optional.empty(),
                rules.length == 0 ? Optional.empty() : Optional.of(new StopRule.FirstOf(List.of(rules))));
    }

    @Test
    public void aRunUntilAnotherRuleTellsNothing() {
        RunKind run = kind(64, new StopRule.MaxEpochs(10));

        assertThat(run.mayTellOf(kind(64, new StopRule.MaxEpochs(10)))).isTrue();
        assertThat(run.mayTellOf(kind(64, new StopRule.MaxEpochs(100)))).isFalse();
        assertThat(run.mayTellOf(kind(32, new StopRule.MaxEpochs(10)))).isFalse();
    }

    @Test
    public void aJobFileLeavesOpenWhatAProgramDecides() {
        RunKind run = kind(64, TARGET, new StopRule.MaxEpochs(10));

        assertThat(run.mayTellOf(kind(1, TARGET))).isTrue();
        assertThat(run.mayTellOf(kind(1, TARGET, new StopRule.MaxEpochs(10)))).isTrue();
        assertThat(run.mayTellOf(kind(1, TARGET, new StopRule.MaxEpochs(20)))).isFalse();
        assertThat(run.mayTellOf(kind(1, new StopRule.TargetLoss(0.2)))).isFalse();
        assertThat(run.mayTellOf(kind(1))).as("it has no target any more").isFalse();
    }
}
