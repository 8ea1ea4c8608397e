package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import java.util.List;
import org.junit.Test;

public class StopDecisionTest {
    private final LossPlateau plateau = new LossPlateau(0.01, 2);

    @Test
    public void endsWhenTheLossStaysForEpochsInARow() {
        assertThat(StopDecision.after(plateau, List.of(2.0, 1.0, 0.99))).isEmpty();

        StopReason reason =
                StopDecision.after(plateau, List.of(2.0, 1.0, 0.99, 0.98)).orElseThrow();

        assertThat(reason.converged()).isTrue();
        assertThat(reason.sentence())
                .isEqualTo("converged: the loss decreased by less than 1.00 % of 2.000 in each of the last 2 epochs,"
                        + " to 0.9800 in epoch 4");
    }

    @Test
    public void goesOnWhenTheRowBreaks() {
        assertThat(StopDecision.after(plateau, List.of(2.0, 1.0, 0.99, 0.9))).isEmpty();
        assertThat(StopDecision.after(plateau, List.of(2.0, 1.99, 1.0, 0.99))).isEmpty();
        assertThat(StopDecision.after(plateau, List.of(2.0, 1.0, Double.NaN, 0.99, 0.98)))
                .isEmpty();
        assertThat(StopDecision.after(plateau, List.of(2.0, 2.0))).isEmpty();
        assertThat(StopDecision.after(plateau, List.of())).isEmpty();
        assertThat(StopDecision.after(new LossPlateau(0.01, 0), List.of(1.0, 1.0)))
                .isEmpty();
        assertThat(StopDecision.after(new LossPlateau(0.01, -1), List.of())).isEmpty();
    }

    @Test
    public void countsALossThatRisesOrIsZero() {
        assertThat(StopDecision.after(plateau, List.of(2.0, 2.1, 2.3))).isPresent();
        assertThat(StopDecision.after(plateau, List.of(0.0, 0.0, 0.0))).isPresent();
        assertThat(StopDecision.after(plateau, List.of(-1.0, -1.001, -1.002))).isPresent();
    }

    @Test
    public void endsAtTheTarget() {
        assertThat(StopDecision.after(new TargetLoss(0.5), List.of(0.4, 0.6))).isEmpty();
        StopReason reason =
                StopDecision.after(new TargetLoss(0.5), List.of(0.6, 0.5)).orElseThrow();
        assertThat(reason.converged()).isTrue();
        assertThat(reason.sentence()).contains("0.5000 in epoch 2", "target of 0.5000");
    }

    @Test
    public void tellsConvergedFromOnlyOutOfEpochs() {
        StopRule rule = new FirstOf(List.of(new MaxEpochs(3), plateau));

        assertThat(StopDecision.after(rule, List.of(4.0, 2.0))).isEmpty();
        StopReason out = StopDecision.after(rule, List.of(4.0, 2.0, 1.0)).orElseThrow();
        assertThat(out.converged()).isFalse();
        assertThat(out.sentence()).contains("maximum of 3 epochs");
        assertThat(StopDecision.after(rule, List.of(4.0, 4.0, 4.0))
                        .orElseThrow()
                        .converged())
                .isTrue();
    }
}
