package io.optimus.am.engine;

import java.nio.FloatBuffer;
import java.util.Random;

/**
 * Draws a layer's initial weights from a normal distribution of deviation √(2/inputs), which keeps the variance of
 * activations through layers of rectified linear units (He, Zhang, Ren, Sun, ICCV 2015, eq. 10).
 *
 * <p>{@link Random}'s sequence is part of Java's specification, so that a seed gives the same weights on every machine.
 */
public final class HeInitialisation {
    private final Random random;

    /** Starts the sequence of {@code seed}, from which layers are drawn one after the other. */
    public HeInitialisation(long seed) {
        random = new Random(seed);
    }

    /**
     * Fills {@code weights} from position to limit.
     *
     * @param weights its position is then at its limit
     * @param inputs number of values from which one output of the layer is computed, 1 or more
     */
    public void draw(FloatBuffer weights, int inputs) {
        double deviation = Math.sqrt(2.0 / inputs);
        while (weights.hasRemaining()) {
            weights.put((float) (deviation * random.nextGaussian()));
        }
    }
}
