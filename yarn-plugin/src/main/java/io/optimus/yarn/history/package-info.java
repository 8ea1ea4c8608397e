/**
 * The jobs that have ended, in bounded memory, until the scheduler stops. Open {@link io.optimus.yarn.history.PastJobs} first.
 */
@NullMarked
package io.optimus.yarn.history;

import org.jspecify.annotations.NullMarked;
