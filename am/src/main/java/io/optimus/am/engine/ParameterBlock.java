package io.optimus.am.engine;

/**
 * One tensor of a model, as a stretch of the flat parameter vector.
 *
 * @param name unique within the model
 * @param floats its length, 1 or more
 * @param trainable true: a gradient is pushed and the optimizer applies it; false: a statistic (batch normalisation)
 *     whose new value is pushed in the gradient's place and averaged over the workers
 */
public record ParameterBlock(String name, int floats, boolean trainable) {}
