/** Traces of GPU clusters with the GPUs and durations of jobs: Philly, Helios, Alibaba. */
@NullMarked
package io.optimus.sim.trace.gpu;

import org.jspecify.annotations.NullMarked;
