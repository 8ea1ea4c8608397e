package io.optimus.am.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.convergence.StopRule;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.Test;

public final class AccuracyTargetTest {
    @Test
    public void stopsConvergedAtTheTargetAndAbove() {
        AccuracyTarget target = new AccuracyTarget(OptionalDouble.of(0.9));

        assertThat(target.stop(Map.of("accuracy", 0.9), "the program", "epoch 3"))
                .contains(new StopRule.Stop(
                        true,
                        "converged: the program reported an accuracy of 0.9000 in epoch 3, the target is 0.9000"));
        assertThat(target.stop(Map.of("accuracy", 1.0), "the program", "epoch 3"))
                .isPresent();
    }

    @Test
    public void goesOnBelowTheTargetWithoutAnAccuracyAndWithoutATarget() {
        AccuracyTarget target = new AccuracyTarget(OptionalDouble.of(0.9));

        assertThat(target.stop(Map.of("accuracy", 0.89), "it", "step 1")).isEmpty();
        assertThat(target.stop(Map.of("precision", 1.0), "it", "step 1")).isEmpty();
        assertThat(new AccuracyTarget(OptionalDouble.empty()).stop(Map.of("accuracy", 1.0), "it", "step 1"))
                .isEmpty();
    }
}
