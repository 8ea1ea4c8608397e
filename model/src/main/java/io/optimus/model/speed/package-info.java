/**
 * How fast a job steps on an allocation, and how that is learned: {@link io.optimus.model.speed.SpeedSamples} keeps what
 * was measured, {@link io.optimus.model.speed.SpeedFitter} fits a {@link io.optimus.model.speed.SpeedFunction} to it, and
 * {@link io.optimus.model.speed.Exploration} says which size to measure next. Open {@code SpeedFunction} first.
 */
@NullMarked
package io.optimus.model.speed;

import org.jspecify.annotations.NullMarked;
