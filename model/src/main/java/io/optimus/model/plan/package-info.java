/**
 * What a round decides, from snapshots to proposals: fit, allocate, place, diff. The scheduler and a simulator run the
 * same code. Open {@link io.optimus.model.plan.Planner} first; {@link io.optimus.model.plan.Target} is what can be
 * carried out of a proposal now.
 */
@NullMarked
package io.optimus.model.plan;

import org.jspecify.annotations.NullMarked;
