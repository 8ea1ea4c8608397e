/**
 * The control loop: collect, snapshot, fit, allocate, place, diff, publish. Open {@link io.optimus.yarn.round.Round}
 * first.
 */
@NullMarked
package io.optimus.yarn.round;

import org.jspecify.annotations.NullMarked;
