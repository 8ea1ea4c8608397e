/**
 * How fast a job steps on an allocation, and how that is learned. Open {@link io.optimus.model.speed.SpeedFunction} first.
 *
 * <p>Parameter servers: {@link io.optimus.model.speed.SpeedSamples} keeps what was measured, {@link
 * io.optimus.model.speed.SpeedFitter} fits a {@link io.optimus.model.speed.SpeedForm} to it, with a {@link
 * io.optimus.model.speed.PlacedSpeed} where nodes make a difference; {@link io.optimus.model.speed.MeasuredSpeed} corrects
 * the fit by what was measured, {@link io.optimus.model.speed.SpeedConfidence} says how far it may be off, and {@link
 * io.optimus.model.exploration.Exploration} which size to measure next. Without exploring first, {@link
 * io.optimus.model.speed.ExpectedSpeed} says what to expect from the start, and {@link
 * io.optimus.model.exploration.ExpectedImprovement} which size is worth trying. {@link io.optimus.model.speed.LayeredSpeed} looks
 * into the network's layers.
 *
 * <p>All-reduce: {@link io.optimus.model.speed.Goodput}, of what {@link io.optimus.model.throughput} fits.
 */
@NullMarked
package io.optimus.model.speed;

import org.jspecify.annotations.NullMarked;
