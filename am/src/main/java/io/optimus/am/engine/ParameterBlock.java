package io.optimus.am.engine;

/**
 * One tensor of a model, as a range of the flat parameter vector.
 *
 * @param name unique within the model
 * @param floats the length of the range, 1 or more
 * @param trainable true if a gradient is pushed, which the optimizer applies; false for a statistic (batch normalisation),
 *     whose new value is pushed in place of the gradient and averaged over the workers
 */
public record ParameterBlock(String name, int floats, boolean trainable) {}
