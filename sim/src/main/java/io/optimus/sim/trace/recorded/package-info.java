/** Journals that our own ApplicationMasters kept. Open {@link io.optimus.sim.trace.recorded.RecordingsReader} first. */
@NullMarked
package io.optimus.sim.trace.recorded;

import org.jspecify.annotations.NullMarked;
