/** Functions through scattered points of a grid. Open {@link io.optimus.sim.interpolation.LinearInterpolation} first. */
@NullMarked
package io.optimus.sim.interpolation;

import org.jspecify.annotations.NullMarked;
