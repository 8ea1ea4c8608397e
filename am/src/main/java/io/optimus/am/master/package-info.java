/**
 * The ApplicationMaster of one training job: follows the scheduler's plan, holds the containers, launches the tasks,
 * writes the journal, serves the tracking page.
 *
 * <p>All state belongs to one thread, the {@link io.optimus.am.master.EventLoop}; what YARN, the scheduler and the tasks
 * say arrives there as events. Open {@link io.optimus.am.master.plan.PlanFollower} first: it turns a directive into steps.
 */
@NullMarked
package io.optimus.am.master;

import org.jspecify.annotations.NullMarked;
