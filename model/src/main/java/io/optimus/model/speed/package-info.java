/**
 * How fast a job with parameter servers steps on an allocation, and how that is learned. Open {@link
 * io.optimus.model.speed.SpeedFunction} first.
 *
 * <p>{@link io.optimus.model.speed.SpeedSamples} keeps what was measured, {@link io.optimus.model.speed.SpeedFitter} fits a {@link
 * io.optimus.model.speed.SpeedForm} to it, with a {@link io.optimus.model.speed.PlacedSpeed} where the number of nodes makes a
 * difference; {@link io.optimus.model.speed.MeasuredSpeed} corrects the fit by what was measured, and {@link
 * io.optimus.model.speed.SpeedConfidence} says how far it may be off. {@link io.optimus.model.speed.ExpectedSpeed} says what to
 * expect of a job from its first moment on.
 */
@NullMarked
package io.optimus.model.speed;

import org.jspecify.annotations.NullMarked;
