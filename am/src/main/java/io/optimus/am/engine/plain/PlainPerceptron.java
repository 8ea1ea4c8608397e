package io.optimus.am.engine.plain;

import io.optimus.am.dataset.Dataset;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.HeInitialisation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A multilayer perceptron in plain Java, with rectified linear units, softmax and cross entropy.
 *
 * <p>Blocks are {@code dense1.weight} (inputs × outputs, row-major), {@code dense1.bias}, {@code dense2.weight} and so
 * on. Steps allocate no memory after the largest batch.
 */
public final class PlainPerceptron implements TrainingEngine {
    /** Bounds the memory of an evaluation. */
    private static final int EVALUATION_BATCH = 100;

    private final Dataset dataset;
    private final List<DenseLayer> layers = new ArrayList<>();
    private final List<ParameterBlock> blocks = new ArrayList<>();
    private final ByteBuffer parameterBytes;
    private final ByteBuffer gradientBytes;
    private final FloatBuffer parameters;
    private final FloatBuffer gradient;
    private final float[] weights;
    private final float[] derivatives;
    private float[] images = new float[0];
    private int[] evaluated = new int[0];

    /**
     * Makes a network with the pixels of the data set as inputs and its classes as outputs.
     *
     * @param hidden sizes of the hidden layers, each 1 or more; empty for softmax regression
     */
    public PlainPerceptron(Dataset dataset, List<Integer> hidden) {
        this.dataset = dataset;
        int offset = 0;
        int inputs = dataset.features();
        List<Integer> sizes = new ArrayList<>(hidden);
        sizes.add(dataset.classes());
        for (int outputs : sizes) {
            DenseLayer layer = new DenseLayer(inputs, outputs, offset);
            layers.add(layer);
            blocks.add(ParameterBlock.parameter("dense" + layers.size() + ".weight", inputs, outputs));
            blocks.add(ParameterBlock.parameter("dense" + layers.size() + ".bias", outputs));
            offset = layer.end();
            inputs = outputs;
        }
        parameterBytes = TrainingEngine.vector(offset);
        gradientBytes = TrainingEngine.vector(offset);
        parameters = TrainingEngine.floats(parameterBytes);
        gradient = TrainingEngine.floats(gradientBytes);
        weights = new float[offset];
        derivatives = new float[offset];
    }

    @Override
    public List<ParameterBlock> blocks() {
        return List.copyOf(blocks);
    }

    @Override
    public ByteBuffer parameterBytes() {
        return parameterBytes;
    }

    @Override
    public ByteBuffer gradientBytes() {
        return gradientBytes;
    }

    @Override
    public int trainingSamples() {
        return dataset.training().size();
    }

    @Override
    public void initialise(long seed) {
        HeInitialisation initialisation = new HeInitialisation(seed);
        int offset = 0;
        for (DenseLayer layer : layers) {
            int count = layer.inputs() * layer.outputs();
            initialisation.draw(parameters.slice(offset, count), layer.inputs());
            for (int bias = offset + count; bias < layer.end(); bias++) {
                parameters.put(bias, 0f);
            }
            offset = layer.end();
        }
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        int[] samples = part.samples();
        int batch = samples.length;
        if (batch == 0) {
            throw new IllegalArgumentException("A step needs at least one sample");
        }
        parameters.get(0, weights);
        double loss = forward(dataset.training(), samples, batch).loss();
        progress.lossKnown(loss);
        progress.parametersRead();
        Arrays.fill(derivatives, 0f);
        for (int i = layers.size() - 1; i >= 0; i--) {
            DenseLayer layer = layers.get(i);
            layer.addGradient(derivatives, i == 0 ? images : layers.get(i - 1).values(), batch);
            if (i > 0) {
                layer.propagate(weights, layers.get(i - 1), batch);
            }
            gradient.put(layer.offset(), derivatives, layer.offset(), layer.end() - layer.offset());
            progress.gradientFrom(layer.offset());
        }
        return loss;
    }

    @Override
    public Optional<Evaluation> evaluate() {
        parameters.get(0, weights);
        int heldOut = dataset.heldOut().size();
        double loss = 0;
        int right = 0;
        for (int first = 0; first < heldOut; first += EVALUATION_BATCH) {
            int batch = Math.min(EVALUATION_BATCH, heldOut - first);
            CrossEntropy result = forward(dataset.heldOut(), range(first, batch), batch);
            loss += result.loss() * batch;
            right += result.right();
        }
        return Optional.of(new Evaluation(loss / heldOut, (double) right / heldOut, heldOut));
    }

    @Override
    public void close() {}

    private CrossEntropy forward(Dataset.Samples from, int[] samples, int batch) {
        int features = dataset.features();
        if (images.length < batch * features) {
            images = new float[batch * features];
        }
        for (int i = 0; i < batch; i++) {
            from.read(samples[i], images, i * features);
        }
        float[] x = images;
        for (int i = 0; i < layers.size(); i++) {
            layers.get(i).forward(weights, x, batch);
            if (i < layers.size() - 1) {
                layers.get(i).rectify(batch);
            }
            x = layers.get(i).values();
        }
        DenseLayer last = layers.get(layers.size() - 1);
        return CrossEntropy.of(last, from, samples, batch);
    }

    private int[] range(int first, int count) {
        if (evaluated.length < count) {
            evaluated = new int[count];
        }
        for (int i = 0; i < count; i++) {
            evaluated[i] = first + i;
        }
        return evaluated;
    }
}
