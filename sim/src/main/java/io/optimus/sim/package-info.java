/** The simulator. Open {@link io.optimus.sim.Simulate} for the command, {@link io.optimus.sim.engine.Simulation} for what it does. */
@NullMarked
package io.optimus.sim;

import org.jspecify.annotations.NullMarked;
