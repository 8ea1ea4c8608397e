/**
 * Chooses items under several limits at once: the 0/1 multi-dimensional knapsack. Open {@link
 * io.optimus.model.selection.SelectionProblem} first.
 */
@NullMarked
package io.optimus.model.selection;

import org.jspecify.annotations.NullMarked;
