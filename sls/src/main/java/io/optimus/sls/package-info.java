/**
 * What OptimusScheduler costs a ResourceManager beside CapacityScheduler. Open {@link io.optimus.sls.SchedulerBenchmark} first,
 * then {@link io.optimus.sls.SideRun}, which measures one scheduler in a JVM of its own.
 *
 * <p>The ResourceManager is real, and so are the calls to it. Nodes and ApplicationMasters are simulators of YARN's Scheduler
 * Load Simulator (SLS). Three things of SLS are not used, since they stand in the way of measuring:
 *
 * <ul>
 *   <li>Its metrics wrap each event and each call in work of their own, on the thread that is measured. {@link
 *       io.optimus.sls.measure.MeasuredScheduler} measures both schedulers at one point instead.
 *   <li>Its traces: the parser of JSON traces fails on {@code job.tasks}, and the synthetic ones draw the number of jobs of
 *       each kind. {@link io.optimus.sls.SimulatedCluster} starts exactly the applications of the {@link
 *       io.optimus.sls.Workload}, with the simulators in {@link io.optimus.sls.applications}.
 *   <li>Its runner ends when all applications have ended; here they live until the measurement ends.
 * </ul>
 */
@NullMarked
package io.optimus.sls;

import org.jspecify.annotations.NullMarked;
