/**
 * Chooses at most one option of each of several sets so that their values add up to the most that the capacity allows:
 * the multiple-choice knapsack problem. Open {@link io.optimus.model.knapsack.Knapsack} first.
 */
@NullMarked
package io.optimus.model.knapsack;

import org.jspecify.annotations.NullMarked;
