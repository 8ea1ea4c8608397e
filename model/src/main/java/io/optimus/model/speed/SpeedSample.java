package io.optimus.model.speed;

import io.optimus.model.Allocation;

/**
 * Speed measured over a stretch of unbroken stepping on one allocation; as reported, so any number may be in it.
 *
 * @param allocation what ran
 * @param stepsPerSecond steps of the whole job (synchronous) or applied updates (asynchronous) per second
 * @param seconds how long was measured
 */
public record SpeedSample(Allocation allocation, double stepsPerSecond, double seconds) {}
