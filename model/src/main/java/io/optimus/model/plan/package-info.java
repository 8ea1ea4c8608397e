/**
 * A round from snapshots to proposals: it allocates, places, and drops resizes that are not worth their cost. Scheduler and
 * simulator run the same code. Open {@link io.optimus.model.plan.Planner} first; {@link io.optimus.model.plan.Target} is the
 * part of a proposal that can be carried out now.
 */
@NullMarked
package io.optimus.model.plan;

import org.jspecify.annotations.NullMarked;
