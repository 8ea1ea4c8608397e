package io.optimus.yarn.validation;

import io.optimus.model.Role;

/**
 * The speed of one task.
 *
 * @param task name of the task in the job
 * @param role role of the task
 * @param node id of its node
 * @param stepsPerSecond its steps per second, finite; 0 before its first step
 */
public record TaskRate(String task, Role role, String node, double stepsPerSecond) {}
