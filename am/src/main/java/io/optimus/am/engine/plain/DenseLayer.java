package io.optimus.am.engine.plain;

import java.util.Arrays;

/**
 * One fully connected layer: y = x·W + b, W of inputs × outputs, row-major.
 *
 * <p>All inner loops run over adjacent floats of one row, which the JIT compiler turns into vector instructions. It would not
 * do that for a dot product, because floating-point sums must keep their order.
 */
final class DenseLayer {
    private final int inputs;
    private final int outputs;
    private final int weights;
    private final int biases;
    private float[] values = new float[0];
    private float[] deltas = new float[0];
    private float[] transposed = new float[0];

    /** Makes a layer whose W, followed by b, starts at {@code offset} of the flat vector. */
    DenseLayer(int inputs, int outputs, int offset) {
        this.inputs = inputs;
        this.outputs = outputs;
        this.weights = offset;
        this.biases = offset + inputs * outputs;
    }

    int inputs() {
        return inputs;
    }

    int outputs() {
        return outputs;
    }

    /** The offset of this layer's parameters. */
    int offset() {
        return weights;
    }

    /** The offset of the next layer's parameters. */
    int end() {
        return biases + outputs;
    }

    /** The results of the last {@link #forward}, sample after sample. */
    float[] values() {
        return values;
    }

    /** The derivatives of the loss by {@link #values()}; they must be written before {@link #addGradient}. */
    float[] deltas() {
        return deltas;
    }

    void forward(float[] parameters, float[] x, int batch) {
        if (values.length < batch * outputs) {
            values = new float[batch * outputs];
            deltas = new float[batch * outputs];
        }
        for (int sample = 0; sample < batch; sample++) {
            int row = sample * outputs;
            System.arraycopy(parameters, biases, values, row, outputs);
            for (int i = 0; i < inputs; i++) {
                addScaled(x[sample * inputs + i], parameters, weights + i * outputs, values, row, outputs);
            }
        }
    }

    /** Rectifies the results: negative values become 0, and NaN stays NaN. */
    void rectify(int batch) {
        for (int i = 0; i < batch * outputs; i++) {
            values[i] = Math.max(0f, values[i]);
        }
    }

    /** Adds the derivatives of the loss by W and b to {@code gradient}. */
    void addGradient(float[] gradient, float[] x, int batch) {
        for (int sample = 0; sample < batch; sample++) {
            int row = sample * outputs;
            addScaled(1f, deltas, row, gradient, biases, outputs);
            for (int i = 0; i < inputs; i++) {
                addScaled(x[sample * inputs + i], deltas, row, gradient, weights + i * outputs, outputs);
            }
        }
    }

    /** Writes the deltas of the rectified layer {@code before}, whose values were the input of this one. */
    void propagate(float[] parameters, DenseLayer before, int batch) {
        transpose(parameters);
        Arrays.fill(before.deltas, 0, batch * inputs, 0f);
        for (int sample = 0; sample < batch; sample++) {
            int row = sample * inputs;
            for (int j = 0; j < outputs; j++) {
                addScaled(deltas[sample * outputs + j], transposed, j * inputs, before.deltas, row, inputs);
            }
        }
        for (int i = 0; i < batch * inputs; i++) {
            before.deltas[i] = before.values[i] <= 0f ? 0f : before.deltas[i];
        }
    }

    private void transpose(float[] parameters) {
        if (transposed.length == 0) {
            transposed = new float[inputs * outputs];
        }
        for (int i = 0; i < inputs; i++) {
            for (int j = 0; j < outputs; j++) {
                transposed[j * inputs + i] = parameters[weights + i * outputs + j];
            }
        }
    }

    private static void addScaled(float scale, float[] from, int first, float[] to, int start, int count) {
        if (scale == 0f) {
            return; // most inputs are rectified values or blank pixels
        }
        for (int i = 0; i < count; i++) {
            to[start + i] += scale * from[first + i];
        }
    }
}
