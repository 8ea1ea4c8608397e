package io.optimus.am.engine.djl;

import ai.djl.ndarray.types.Shape;
import io.optimus.am.engine.HeInitialisation;
import io.optimus.am.engine.ParameterBlock;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * One tensor of a network, a range of the flat vector.
 *
 * @param name unique within the network
 * @param initial its initial values, and whether it is trained
 * @param inputs number of values from which one output is computed; 1 if {@code initial} does not depend on it
 */
record Tensor(String name, Shape shape, Initial initial, int inputs) {
    /** The initial values of a tensor. */
    enum Initial {
        /** Random weights by {@link HeInitialisation}. */
        DRAWN,
        /** 0, for biases and shifts. */
        ZERO,
        /** 1, for scales. */
        ONE,
        /** 0, for a running mean, which is a statistic and not trained. */
        MEAN,
        /** 1, for a running variance, which is a statistic and not trained. */
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
        int[] lengths =
                Arrays.stream(shape.getShape()).mapToInt(Math::toIntExact).toArray();
        return trainable() ? ParameterBlock.parameter(name, lengths) : ParameterBlock.statistic(name, lengths);
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
