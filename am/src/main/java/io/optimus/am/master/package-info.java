/**
 * The life cycle of one training job's ApplicationMaster: starts the parts, passes events between them, ends the job.
 *
 * <p>The parts are {@code plan} (follows the scheduler's directive), {@code yarn} (containers), {@code journal} (what
 * happened), {@code scheduler} (reports and replies) and {@code page} (the tracking page). All state belongs to one
 * thread, the {@link io.optimus.am.master.EventLoop}; calls of other threads arrive there as events. Open {@link
 * io.optimus.am.master.JobController} first.
 */
@NullMarked
package io.optimus.am.master;

import org.jspecify.annotations.NullMarked;
