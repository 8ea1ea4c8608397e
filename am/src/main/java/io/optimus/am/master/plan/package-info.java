/**
 * Follows the scheduler's directive: requests containers, starts and stops tasks, asks the coordinator for memberships.
 *
 * <p>All state belongs to one thread, the ApplicationMaster's event loop. Open {@link
 * io.optimus.am.master.plan.PlanFollower} first: it turns a directive into steps.
 */
@NullMarked
package io.optimus.am.master.plan;

import org.jspecify.annotations.NullMarked;
