/** Traces of GPU clusters that say how long jobs ran on how many GPUs: Philly, Helios, Alibaba. */
@NullMarked
package io.optimus.sim.trace.gpu;

import org.jspecify.annotations.NullMarked;
