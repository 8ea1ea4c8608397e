/**
 * The simulator. Open {@link io.optimus.sim.Simulate} first for the command, {@link io.optimus.sim.engine.Simulation}
 * for a run.
 */
@NullMarked
package io.optimus.sim;

import org.jspecify.annotations.NullMarked;
