package io.optimus.yarn.jobs;

/**
 * How much is kept of one job.
 *
 * @param lossPoints points of its loss curve
 * @param speedSizes sizes with their speeds
 * @param resizes resizes, and plans whose reasons are remembered
 * @param tasksPerRole most tasks of a role that it may ask for
 */
public record JobLimits(int lossPoints, int speedSizes, int resizes, int tasksPerRole) {}
