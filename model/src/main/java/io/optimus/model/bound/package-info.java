/**
 * What no schedule can beat: the ruler at the other end of a table. Open {@link io.optimus.model.bound.CompletionBound}
 * first.
 */
@NullMarked
package io.optimus.model.bound;

import org.jspecify.annotations.NullMarked;
