package io.optimus.am.engine;

/**
 * Quality on the held-out samples.
 *
 * @param loss mean loss
 * @param accuracy share of samples classified right, in [0, 1]
 * @param samples how many were held out
 */
public record Evaluation(double loss, double accuracy, int samples) {}
