package io.optimus.am.engine;

/**
 * The quality of a model on the held-out samples.
 *
 * @param loss mean loss
 * @param accuracy share of samples that are classified correctly, in [0, 1]
 * @param samples number of held-out samples
 */
public record Evaluation(double loss, double accuracy, int samples) {}
