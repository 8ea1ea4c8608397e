/**
 * The scheduler that YARN loads: a CapacityScheduler that also sizes training jobs. Open {@code
 * OptimusScheduler} first.
 */
@NullMarked
package io.optimus.yarn;

import org.jspecify.annotations.NullMarked;
