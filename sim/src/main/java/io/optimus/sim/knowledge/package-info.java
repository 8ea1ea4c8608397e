/**
 * What a simulated scheduler knows of jobs: what it learns from their reports, or the truth. Open {@link
 * io.optimus.sim.knowledge.Knowledge} first.
 */
@NullMarked
package io.optimus.sim.knowledge;

import org.jspecify.annotations.NullMarked;
