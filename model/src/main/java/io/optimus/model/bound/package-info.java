/**
 * Bounds that no schedule can beat, to compare policies with. Open {@link io.optimus.model.bound.CompletionBound}
 * first.
 */
@NullMarked
package io.optimus.model.bound;

import org.jspecify.annotations.NullMarked;
