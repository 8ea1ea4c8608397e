/**
 * The useful progress of an all-reduce job on GPUs spread over nodes, as in Pollux (OSDI 2021, sections 3.1 and 3.2): {@link
 * io.optimus.model.throughput.ThroughputProfile} keeps the measurements, {@link io.optimus.model.throughput.ThroughputFitter}
 * fits an {@link io.optimus.model.throughput.AllReduceThroughput} to them, {@link io.optimus.model.throughput.GradientNoise}
 * gives the value of a large batch, and {@link io.optimus.model.throughput.BatchLimits} the allowed batches. All three make a
 * {@link io.optimus.model.throughput.Goodput}, the speed function of such a job; {@link
 * io.optimus.model.throughput.GoodputFitter} keeps it up to date. Open {@code AllReduceThroughput} first.
 */
@NullMarked
package io.optimus.model.throughput;

import org.jspecify.annotations.NullMarked;
