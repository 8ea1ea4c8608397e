/**
 * The speed of a job with parameter servers by its allocation, and how it is learned. Open {@link
 * io.optimus.model.speed.SpeedFunction} first.
 *
 * <p>{@link io.optimus.model.speed.SpeedSamples} keeps the measurements, {@link io.optimus.model.speed.SpeedFitter} fits a
 * {@link io.optimus.model.speed.SpeedForm} to them, with a {@link io.optimus.model.speed.PlacedSpeed} if the number of nodes
 * makes a difference; {@link io.optimus.model.speed.MeasuredSpeed} corrects the fit by the measurements, and {@link
 * io.optimus.model.speed.SpeedConfidence} says how far it may be off. {@link io.optimus.model.speed.ExpectedSpeed} is the speed
 * to expect from a job's first moment on.
 */
@NullMarked
package io.optimus.model.speed;

import org.jspecify.annotations.NullMarked;
