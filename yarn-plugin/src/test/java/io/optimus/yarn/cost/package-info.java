/**
 * Measures what rounds cost on large clusters, in processor time. Open {@link io.optimus.yarn.cost.RoundCost} first;
 * {@code scripts/benchmark-rounds} runs it.
 */
@NullMarked
package io.optimus.yarn.cost;

import org.jspecify.annotations.NullMarked;
