package io.optimus.am.engine.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.optimus.am.dataset.Dataset;
import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.LocalTraining;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.BeforeClass;
import org.junit.Test;

public class DjlEngineTest {
    private static final int[] BATCH = IntStream.range(0, 64).toArray();

    @BeforeClass
    public static void prepareNativeLibraries() throws IOException {
        UnpackedNatives.use();
    }

    @Test
    public void perceptronAgreesWithPlainJava() {
        Dataset digits = SampleSets.digits();
        try (TrainingEngine plain = new PlainPerceptron(digits, List.of(64, 32));
                TrainingEngine djl = new DjlEngine(Engines.MLP, List.of(64, 32), digits)) {
            plain.initialise(3);
            djl.initialise(3);
            assertThat(djl.blocks()).isEqualTo(plain.blocks());
            assertThat(floats(djl.parameters())).isEqualTo(floats(plain.parameters()));
            for (int repeat = 0; repeat < 2; repeat++) {
                assertThat(djl.step(StepPart.of(BATCH))).isCloseTo(plain.step(StepPart.of(BATCH)), within(1e-4));
                assertThat(floats(djl.gradient())).containsExactly(floats(plain.gradient()), within(1e-4f));
            }
            assertThat(djl.evaluate().orElseThrow().loss())
                    .isCloseTo(plain.evaluate().orElseThrow().loss(), within(1e-4));
            assertThat(djl.evaluate().orElseThrow().accuracy())
                    .isEqualTo(plain.evaluate().orElseThrow().accuracy());
        }
    }

    @Test
    public void perceptronLearnsDigits() {
        assertThat(train(Engines.MLP, List.of(64), SampleSets.digits(), 1000, 0.05)
                        .accuracy())
                .isGreaterThan(0.95);
    }

    @Test
    public void leNetLearnsDigits() {
        assertThat(train(Engines.LENET, List.of(), SampleSets.digits(), 500, 0.02)
                        .accuracy())
                .isGreaterThan(0.95);
    }

    @Test
    public void leNetTakesImagesOfMnistSize() {
        assertThat(train(Engines.LENET, List.of(), SampleSets.stripes(28), 40, 0.02)
                        .accuracy())
                .isGreaterThan(0.9);
    }

    @Test
    public void residualNetworkLearnsDigits() {
        assertThat(train(Engines.RESNET_20, List.of(), SampleSets.digits(), 50, 0.05)
                        .accuracy())
                .isGreaterThan(0.9);
    }

    @Test
    public void residualNetworkHasTheParametersOfItsPaper() {
        try (TrainingEngine engine = new DjlEngine(Engines.RESNET_20, List.of(), SampleSets.digits())) {
            int trained = engine.blocks().stream()
                    .filter(ParameterBlock::trainable)
                    .mapToInt(ParameterBlock::floats)
                    .sum();
            // Table 6 of the paper says 0.27 million.
            assertThat(trained).isBetween(265_000, 274_999);
        }
    }

    @Test
    public void statisticsGoOutInTheGradientsPlaceAndLeaveParametersAlone() {
        try (TrainingEngine engine = new DjlEngine(Engines.RESNET_20, List.of(), SampleSets.stripes(8))) {
            engine.initialise(1);
            float[] before = floats(engine.parameters());
            engine.step(StepPart.of(BATCH));
            float[] once = statistics(engine, engine.gradient());
            engine.step(StepPart.of(BATCH));
            float[] again = statistics(engine, engine.gradient());
            assertThat(floats(engine.parameters())).isEqualTo(before);
            assertThat(once).isEqualTo(again).isNotEqualTo(statistics(engine, engine.parameters()));
        }
    }

    @Test
    public void runningVarianceMovesByATenth() {
        Dataset dark = new Dataset(black(64), black(8), 8, 8, 10);
        try (TrainingEngine engine = new DjlEngine(Engines.RESNET_20, List.of(), dark)) {
            engine.initialise(1);
            engine.step(StepPart.of(BATCH));
            // Black images have variance 0 after the first convolution, so 0.9 of the initial 1 is left.
            int at = offset(engine, "first.variance");
            assertThat(engine.parameters().get(at)).isEqualTo(1f);
            assertThat(engine.gradient().get(at)).isCloseTo(0.9f, within(1e-6f));
        }
    }

    @Test
    public void parametersArePulledIntoTheModelByWritingTheBuffer() {
        try (TrainingEngine engine = new DjlEngine(Engines.MLP, List.of(8), SampleSets.stripes(8))) {
            engine.initialise(1);
            double before = engine.step(StepPart.of(BATCH));
            FloatBuffer parameters = engine.parameters();
            for (int i = 0; i < parameters.capacity(); i++) {
                parameters.put(i, 0f);
            }
            assertThat(engine.step(StepPart.of(BATCH))).isNotEqualTo(before).isCloseTo(Math.log(8), within(1e-6));
        }
    }

    @Test
    public void recoversFromParametersThatAreNotNumbers() {
        try (TrainingEngine engine = new DjlEngine(Engines.MLP, List.of(8), SampleSets.stripes(8))) {
            engine.initialise(1);
            double before = engine.step(StepPart.of(BATCH));
            engine.parameters().put(0, Float.NaN);
            assertThat(engine.step(StepPart.of(BATCH))).isNaN();
            engine.initialise(1);
            assertThat(engine.step(StepPart.of(BATCH))).isEqualTo(before);
            assertThat(floats(engine.gradient())).doesNotContain(Float.NaN);
        }
    }

    @Test
    public void refusesImagesTooSmallForTheModel() {
        assertThatThrownBy(() -> new DjlEngine(Engines.LENET, List.of(), SampleSets.stripes(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 by 3");
    }

    private static Evaluation train(String model, List<Integer> hidden, Dataset dataset, int steps, double rate) {
        try (TrainingEngine engine = new DjlEngine(model, hidden, dataset)) {
            LocalTraining training = new LocalTraining(engine, rate);
            long start = System.nanoTime();
            training.run(steps, 64);
            double seconds = (System.nanoTime() - start) / 1e9;
            Evaluation evaluation = engine.evaluate().orElseThrow();
            System.out.printf(
                    "djl %s on %d by %d: %.0f steps/s, batch 64, %s%n",
                    model, dataset.height(), dataset.width(), steps / seconds, evaluation);
            return evaluation;
        }
    }

    private static Dataset.Samples black(int samples) {
        return new Dataset.Samples(new byte[samples * 64], new byte[samples], 255);
    }

    private static int offset(TrainingEngine engine, String name) {
        int offset = 0;
        for (ParameterBlock block : engine.blocks()) {
            if (block.name().equals(name)) {
                return offset;
            }
            offset += block.floats();
        }
        throw new AssertionError("no block " + name);
    }

    private static float[] statistics(TrainingEngine engine, FloatBuffer vector) {
        float[] statistics = new float
                [engine.blocks().stream()
                        .filter(block -> !block.trainable())
                        .mapToInt(ParameterBlock::floats)
                        .sum()];
        int at = 0;
        int filled = 0;
        for (ParameterBlock block : engine.blocks()) {
            if (!block.trainable()) {
                vector.get(at, statistics, filled, block.floats());
                filled += block.floats();
            }
            at += block.floats();
        }
        return statistics;
    }

    private static float[] floats(FloatBuffer buffer) {
        float[] floats = new float[buffer.capacity()];
        buffer.get(0, floats);
        return floats;
    }
}
