package io.optimus.yarn.jobs;

import io.optimus.model.job.Placement;
import java.util.OptionalDouble;

/**
 * Where a job says that it is.
 *
 * @param step current step
 * @param epoch current epoch, with its fraction; empty where it never said
 * @param loss the last loss; empty before the first
 * @param members tasks in the current membership, by node
 * @param membership number of the membership
 * @param plan number of the last plan that was carried out whole
 */
public record JobProgress(
        long step, OptionalDouble epoch, OptionalDouble loss, Placement members, long membership, long plan) {}
