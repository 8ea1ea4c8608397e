/**
 * JMH benchmarks of the steps of a round: {@link io.optimus.benchmarks.Suite} runs them and prints how their times grow
 * with jobs and nodes. It compares the times, divided by that of a calibration loop in the same run, with thresholds.
 */
@NullMarked
package io.optimus.benchmarks;

import org.jspecify.annotations.NullMarked;
