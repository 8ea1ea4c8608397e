package io.optimus.yarn.validation;

import io.optimus.model.Allocation;

/**
 * A resize that a job carried out.
 *
 * @param from allocation before
 * @param to allocation after
 * @param pauseMillis stepping time lost, 0 or more
 * @param plan number of the plan that asked for it
 * @param exploring whether the size was chosen to learn the speed function
 * @param reason why, in words; empty if the plan is no longer known
 */
public record ReportedResize(
        Allocation from, Allocation to, long pauseMillis, long plan, boolean exploring, String reason) {}
