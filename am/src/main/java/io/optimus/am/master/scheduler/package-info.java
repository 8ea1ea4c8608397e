/**
 * What the ApplicationMaster and the scheduler say to each other, and whose directive the job follows. Open {@link
 * io.optimus.am.master.scheduler.SchedulerLink} first.
 */
@NullMarked
package io.optimus.am.master.scheduler;

import org.jspecify.annotations.NullMarked;
