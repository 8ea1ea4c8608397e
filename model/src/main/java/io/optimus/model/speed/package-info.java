/**
 * How fast a job steps on an allocation, and how that is learned from samples. Open {@link
 * io.optimus.model.speed.SpeedFunction} first.
 */
@NullMarked
package io.optimus.model.speed;

import org.jspecify.annotations.NullMarked;
