/**
 * How long a round's steps take, measured by JMH: {@link io.optimus.benchmarks.Suite} runs them, prints how they grow
 * and holds them against thresholds, as ratios to a calibration loop of the same run.
 */
@NullMarked
package io.optimus.benchmarks;

import org.jspecify.annotations.NullMarked;
