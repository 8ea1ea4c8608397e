/**
 * The sizes that a job runs on so that its speed becomes known: {@link io.optimus.model.exploration.Exploration} chooses the
 * sizes that a first fit needs, {@link io.optimus.model.exploration.ExpectedImprovement} the size that a running job should try
 * because it may be faster. Open {@code Exploration} first.
 */
@NullMarked
package io.optimus.model.exploration;

import org.jspecify.annotations.NullMarked;
