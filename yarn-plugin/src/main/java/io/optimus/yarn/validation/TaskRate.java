package io.optimus.yarn.validation;

import io.optimus.model.Role;

/**
 * How fast one task steps.
 *
 * @param task its name in the job
 * @param role its role
 * @param node id of its node
 * @param stepsPerSecond above 0, finite
 */
public record TaskRate(String task, Role role, String node, double stepsPerSecond) {}
