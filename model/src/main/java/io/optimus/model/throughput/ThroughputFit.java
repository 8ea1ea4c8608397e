package io.optimus.model.throughput;

/**
 * A throughput model that was fitted.
 *
 * @param throughput the model
 * @param objective what the fit made least: errors and priors, 0 or more
 * @param relativeError mean of |fitted − measured| / measured seconds of a step over the observations
 * @param observations how many it rests on, 1 or more
 * @param iterations of the minimiser
 */
public record ThroughputFit(
        AllReduceThroughput throughput, double objective, double relativeError, int observations, int iterations) {}
