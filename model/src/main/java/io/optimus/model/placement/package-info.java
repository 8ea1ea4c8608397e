/**
 * Chooses the nodes on which tasks run. Open {@link io.optimus.model.placement.Placer} first, then {@link
 * io.optimus.model.placement.OptimusPlacer}.
 */
@NullMarked
package io.optimus.model.placement;

import org.jspecify.annotations.NullMarked;
