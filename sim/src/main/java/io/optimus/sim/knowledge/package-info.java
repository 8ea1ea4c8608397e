/**
 * A simulated scheduler's knowledge of jobs: learned from their reports, or the truth. Open {@link
 * io.optimus.sim.knowledge.Knowledge} first.
 */
@NullMarked
package io.optimus.sim.knowledge;

import org.jspecify.annotations.NullMarked;
