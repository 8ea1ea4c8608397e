/**
 * Simulates discrete events in virtual time: jobs arrive, are planned by the same {@link io.optimus.model.plan.Planner} as in
 * the ResourceManager, train, are resized and end. Open {@link io.optimus.sim.engine.Simulation} first.
 */
@NullMarked
package io.optimus.sim.engine;

import org.jspecify.annotations.NullMarked;
