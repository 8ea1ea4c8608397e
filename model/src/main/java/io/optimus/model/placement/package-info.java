/** Which node a task runs on. Open {@link io.optimus.model.placement.Placement} first. */
@NullMarked
package io.optimus.model.placement;

import org.jspecify.annotations.NullMarked;
