package io.optimus.am.engine.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.LocalTraining;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.Test;

public class PlainPerceptronTest {
    @Test
    public void gradientIsTheLossesSlope() {
        int[] batch = {0, 5, 17, 100, 3};
        float width = 1e-3f;
        TrainingEngine engine = new PlainPerceptron(SampleSets.stripes(4), List.of(7, 5));
        engine.initialise(11);
        engine.step(StepPart.of(batch));
        float[] gradient = floats(engine.gradient());
        FloatBuffer parameters = engine.parameters();
        int compared = 0;
        for (int i = 0; i < gradient.length; i++) {
            float at = parameters.get(i);
            parameters.put(i, at + width);
            double above = engine.step(StepPart.of(batch));
            boolean bends = bends(gradient[i], engine.gradient().get(i));
            parameters.put(i, at - width);
            double below = engine.step(StepPart.of(batch));
            bends |= bends(gradient[i], engine.gradient().get(i));
            parameters.put(i, at);
            if (!bends) {
                assertThat((above - below) / (2 * width))
                        .as("parameter " + i)
                        .isCloseTo(gradient[i], within(2e-3 + 0.02 * Math.abs(gradient[i])));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(gradient.length * 3 / 4);
    }

    /** Whether a rectified unit switches between two points, so that the finite difference is meaningless. */
    private static boolean bends(float here, float there) {
        return Math.abs(here - there) > 2e-3 + 0.01 * Math.abs(here);
    }

    @Test
    public void learnsDigitsInSeconds() {
        TrainingEngine engine = new PlainPerceptron(SampleSets.digits(), List.of(64));
        LocalTraining training = new LocalTraining(engine, 0.05);
        training.run(500, 64);
        long start = System.nanoTime();
        training.run(2000, 64);
        double seconds = (System.nanoTime() - start) / 1e9;
        Evaluation evaluation = engine.evaluate().orElseThrow();
        System.out.printf("java mlp 64-64-10 on digits: %.0f steps/s, batch 64, %s%n", 2000 / seconds, evaluation);
        assertThat(evaluation.accuracy()).isGreaterThan(0.95);
        assertThat(evaluation.samples()).isEqualTo(359);
    }

    @Test
    public void blocksCoverTheFlatVectorLayerAfterLayer() {
        TrainingEngine engine = new PlainPerceptron(SampleSets.digits(), List.of(32));
        assertThat(engine.blocks())
                .containsExactly(
                        ParameterBlock.parameter("dense1.weight", 64, 32),
                        ParameterBlock.parameter("dense1.bias", 32),
                        ParameterBlock.parameter("dense2.weight", 32, 10),
                        ParameterBlock.parameter("dense2.bias", 10));
        assertThat(engine.parameters().capacity()).isEqualTo(65 * 32 + 33 * 10);
        assertThat(engine.gradient().capacity()).isEqualTo(65 * 32 + 33 * 10);
        assertThat(engine.parameters().isDirect()).isTrue();
    }

    @Test
    public void sameSeedGivesSameParametersAndSteps() {
        TrainingEngine one = new PlainPerceptron(SampleSets.digits(), List.of(16));
        TrainingEngine other = new PlainPerceptron(SampleSets.digits(), List.of(16));
        assertThat(new LocalTraining(one, 0.1).run(20, 32)).isEqualTo(new LocalTraining(other, 0.1).run(20, 32));
        assertThat(floats(one.parameters())).isEqualTo(floats(other.parameters()));
        other.initialise(2);
        assertThat(floats(one.parameters())).isNotEqualTo(floats(other.parameters()));
    }

    @Test
    public void gradientOfABatchIsTheMeanOfItsParts() {
        TrainingEngine engine = new PlainPerceptron(SampleSets.digits(), List.of(16));
        engine.initialise(1);
        double left = engine.step(StepPart.of(1, 2));
        float[] leftGradient = floats(engine.gradient());
        double right = engine.step(StepPart.of(3, 4));
        float[] rightGradient = floats(engine.gradient());
        double both = engine.step(StepPart.of(1, 2, 3, 4));
        assertThat(both).isCloseTo((left + right) / 2, within(1e-6));
        for (int i = 0; i < leftGradient.length; i++) {
            assertThat(engine.gradient().get(i)).isCloseTo((leftGradient[i] + rightGradient[i]) / 2, within(1e-6f));
        }
    }

    @Test
    public void divergenceShowsInTheLoss() {
        TrainingEngine engine = new PlainPerceptron(SampleSets.digits(), List.of(16));
        engine.initialise(1);
        engine.parameters().put(engine.parameters().capacity() - 1, Float.NaN);
        assertThat(engine.step(StepPart.of(0))).isNaN();
        engine.initialise(1);
        assertThat(engine.step(StepPart.of(0))).isFinite();
    }

    private static float[] floats(FloatBuffer buffer) {
        float[] floats = new float[buffer.capacity()];
        buffer.get(0, floats);
        return floats;
    }
}
