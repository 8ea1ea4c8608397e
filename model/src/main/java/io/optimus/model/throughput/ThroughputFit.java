package io.optimus.model.throughput;

/**
 * A fitted throughput model.
 *
 * @param throughput the model
 * @param objective the minimum of the objective: errors and priors, 0 or more
 * @param relativeError mean of |fitted − measured| / measured seconds of a step over the observations
 * @param observations the number of observations that it rests on, 1 or more
 * @param iterations the iterations of the minimiser
 */
public record ThroughputFit(
        AllReduceThroughput throughput, double objective, double relativeError, int observations, int iterations) {}
