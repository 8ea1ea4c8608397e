package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;

/**
 * One of the sizes that a job may have.
 *
 * @param tasks of each role
 * @param stepsPerSecond on the nodes that they would be on, 0 or more
 */
record Size(Allocation tasks, double stepsPerSecond) {}
