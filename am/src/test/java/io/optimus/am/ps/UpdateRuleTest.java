package io.optimus.am.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.ps.UpdateRule.Update;
import io.optimus.am.ps.UpdateRule.Version;
import org.junit.Test;

/**
 * Compares 100 updates with PyTorch 2.13 on a CPU: {@code torch.optim} on the float32 parameters 0.5, -1.25, 2.0, -0.6, where
 * the gradient of parameter i in update k, from 0, is {@code 0.1 * ((7 * k + 3 * i) % 11 - 4)}.
 */
public final class UpdateRuleTest {
    /** 1e-6 of the value. */
    private static final double PERCENT = 1e-4;

    private static float[] after100Updates(Optimizer optimizer) {
        UpdateRule rule = UpdateRule.of(optimizer);
        Version version = Version.of(4, rule.stateSlots());
        System.arraycopy(new float[] {0.5f, -1.25f, 2.0f, -0.6f}, 0, version.values(), 0, 4);
        float[] gradient = new float[4];
        for (int k = 0; k < 100; k++) {
            for (int i = 0; i < 4; i++) {
                gradient[i] = (float) (0.1 * ((7 * k + 3 * i) % 11 - 4));
            }
            Update update = new Update(k + 1, optimizer.learningRate(), optimizer.weightDecay());
            rule.apply(version, version, gradient, 0, 4, update);
        }
        return version.values();
    }

    private static void assertClose(float[] values, double... expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) values[i]).isCloseTo(expected[i], withinPercentage(PERCENT));
        }
    }

    /** SGD(lr=0.05, momentum=0.9, weight_decay=0.01). */
    @Test
    public void descendsAsTorchDoesWithMomentumAndWeightDecay() {
        assertClose(
                after100Updates(new Optimizer.Sgd(0.05, 0.9, 0.01)),
                -3.438560724258423,
                -4.595165729522705,
                -2.4947257041931152,
                -4.1897292137146);
    }

    /** Adam(lr=0.01, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.01). */
    @Test
    public void addsThePenaltyToTheGradientAsTorchDoesForAdam() {
        assertClose(
                after100Updates(new Optimizer.Adam(0.01, 0.9, 0.99, 1e-8, 0.01, false)),
                0.21166658401489258,
                -1.512499213218689,
                1.6444376707077026,
                -0.8926042318344116);
    }

    /** AdamW(lr=0.01, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1). */
    @Test
    public void decaysTheParametersAsTorchDoesForAdamW() {
        assertClose(
                after100Updates(new Optimizer.Adam(0.01, 0.9, 0.99, 1e-8, 0.1, true)),
                0.18668511509895325,
                -1.4160233736038208,
                1.5186294317245483,
                -0.8398836255073547);
    }
}
