/** Tables of measured speeds as ground truth. */
@NullMarked
package io.optimus.sim.trace.measured;

import org.jspecify.annotations.NullMarked;
