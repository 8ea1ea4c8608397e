/**
 * Workloads and measured profiles in the format of the Pollux artifact (Qiao et al., OSDI 2021; petuum/adaptdl, branch
 * osdi21-artifact): the truth about its jobs, and what a scheduler can learn of it. Open {@link
 * io.optimus.sim.trace.pollux.PolluxReader} first, then {@link io.optimus.sim.trace.pollux.PolluxTraining}.
 */
@NullMarked
package io.optimus.sim.trace.pollux;

import org.jspecify.annotations.NullMarked;
