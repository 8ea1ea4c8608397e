/**
 * The scheduler that YARN loads: CapacityScheduler, and beside it the round that sizes training jobs. Open {@code
 * OptimusScheduler} first.
 */
@NullMarked
package io.optimus.yarn;

import org.jspecify.annotations.NullMarked;
