/**
 * The simulated ApplicationMasters. Open {@link io.optimus.sls.applications.SimulatedApplication} first; {@link
 * io.optimus.sls.applications.PlannedTraining} is a training job on OptimusScheduler, {@link
 * io.optimus.sls.applications.FixedTraining} what takes its place on CapacityScheduler.
 */
@NullMarked
package io.optimus.sls.applications;

import org.jspecify.annotations.NullMarked;
