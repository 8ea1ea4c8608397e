/**
 * The plan in force, for the round that publishes it and for all its readers. Open {@link
 * io.optimus.yarn.plan.PublishedPlan} first.
 */
@NullMarked
package io.optimus.yarn.plan;

import org.jspecify.annotations.NullMarked;
