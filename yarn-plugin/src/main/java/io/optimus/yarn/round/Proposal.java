package io.optimus.yarn.round;

import io.optimus.model.placement.Placement;

/**
 * What a plan has in mind for one job.
 *
 * @param planned where its tasks shall be; none: it waits
 * @param reason why, in words
 * @param exploring whether the size was chosen to learn the speed function
 */
record Proposal(Placement planned, String reason, boolean exploring) {}
