/**
 * The plan that holds, for the round that publishes it and for everyone who reads it. Open {@link
 * io.optimus.yarn.plan.PublishedPlan} first.
 */
@NullMarked
package io.optimus.yarn.plan;

import org.jspecify.annotations.NullMarked;
