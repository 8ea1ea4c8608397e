package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.convergence.StopRule.FirstOf;
import io.optimus.model.convergence.StopRule.LossPlateau;
import io.optimus.model.convergence.StopRule.MaxEpochs;
import io.optimus.model.convergence.StopRule.TargetLoss;
import java.util.List;
import org.junit.Test;

public class StopRuleTest {
    private final LossPlateau plateau = new LossPlateau(0.01, 2);

    @Test
    public void stopsAfterTheGivenNumberOfQuietEpochsInARow() {
        assertThat(plateau.stop(List.of(2.0, 1.0, 0.99))).isEmpty();

        StopRule.Stop stop = plateau.stop(List.of(2.0, 1.0, 0.99, 0.98)).orElseThrow();

        assertThat(stop.converged()).isTrue();
        assertThat(stop.sentence())
                .isEqualTo("converged: the loss decreased by less than 1.00 % of 2.000 in each of the last 2 epochs,"
                        + " to 0.9800 in epoch 4");
    }

    @Test
    public void continuesWhenTheRunOfQuietEpochsIsInterrupted() {
        assertThat(plateau.stop(List.of(2.0, 1.0, 0.99, 0.9))).isEmpty();
        assertThat(plateau.stop(List.of(2.0, 1.99, 1.0, 0.99))).isEmpty();
        assertThat(plateau.stop(List.of(2.0, 1.0, Double.NaN, 0.99, 0.98))).isEmpty();
        assertThat(plateau.stop(List.of(2.0, 2.0))).isEmpty();
        assertThat(plateau.stop(List.of())).isEmpty();
        assertThat(new LossPlateau(0.01, 0).stop(List.of(1.0, 1.0))).isEmpty();
        assertThat(new LossPlateau(0.01, -1).stop(List.of())).isEmpty();
    }

    @Test
    public void countsARisingOrZeroLossAsQuiet() {
        assertThat(plateau.stop(List.of(2.0, 2.1, 2.3))).isPresent();
        assertThat(plateau.stop(List.of(0.0, 0.0, 0.0))).isPresent();
        assertThat(plateau.stop(List.of(-1.0, -1.001, -1.002))).isPresent();
    }

    @Test
    public void stopsAtTheTargetLoss() {
        assertThat(new TargetLoss(0.5).stop(List.of(0.4, 0.6))).isEmpty();
        StopRule.Stop stop = new TargetLoss(0.5).stop(List.of(0.6, 0.5)).orElseThrow();
        assertThat(stop.converged()).isTrue();
        assertThat(stop.sentence()).contains("0.5000 in epoch 2", "target of 0.5000");
    }

    @Test
    public void distinguishesConvergenceFromTheMaximumOfEpochs() {
        StopRule rule = new FirstOf(List.of(new MaxEpochs(3), plateau));

        assertThat(rule.stop(List.of(4.0, 2.0))).isEmpty();
        StopRule.Stop out = rule.stop(List.of(4.0, 2.0, 1.0)).orElseThrow();
        assertThat(out.converged()).isFalse();
        assertThat(out.sentence()).contains("maximum of 3 epochs");
        assertThat(rule.stop(List.of(4.0, 4.0, 4.0)).orElseThrow().converged()).isTrue();
    }
}
