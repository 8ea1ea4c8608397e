package io.optimus.am.engine.djl;

import ai.djl.ndarray.types.Shape;
import io.optimus.am.engine.HeInitialisation;
import io.optimus.am.engine.ParameterBlock;
import java.nio.FloatBuffer;

/**
 * One tensor of a network: a stretch of the flat vector.
 *
 * @param name unique within the network
 * @param initial what it starts as, and whether it is trained
 * @param inputs values that one output is computed from; 1 where {@code initial} does not depend on it
 */
record Tensor(String name, Shape shape, Initial initial, int inputs) {
    /** What a tensor starts as. */
    enum Initial {
        /** Weights, drawn by {@link HeInitialisation}. */
        DRAWN,
        /** Biases and shifts. */
        ZERO,
        /** Scales. */
        ONE,
        /** A running mean: a statistic, not trained. */
        MEAN,
        /** A running variance: a statistic, not trained. */
        VARIANCE
    }

    static Tensor weights(String name, Shape shape, int inputs) {
        return new Tensor(name, shape, Initial.DRAWN, inputs);
    }

    static Tensor filled(String name, int size, Initial initial) {
        return new Tensor(name, new Shape(size), initial, 1);
    }

    int floats() {
        return Math.toIntExact(shape.size());
    }

    boolean trainable() {
        return switch (initial) {
            case DRAWN, ZERO, ONE -> true;
            case MEAN, VARIANCE -> false;
        };
    }

    ParameterBlock block() {
        return new ParameterBlock(name, floats(), trainable());
    }

    /** Writes the initial values into {@code into}, from position to limit. */
    void initialise(FloatBuffer into, HeInitialisation initialisation) {
        switch (initial) {
            case DRAWN -> initialisation.draw(into, inputs);
            case ZERO, MEAN -> fill(into, 0f);
            case ONE, VARIANCE -> fill(into, 1f);
        }
    }

    private static void fill(FloatBuffer into, float value) {
        while (into.hasRemaining()) {
            into.put(value);
        }
    }
}
