/**
 * Computes how much of each queue training may use, in sum and by user, by the rules of CapacityScheduler. It has no
 * Hadoop types. Open {@link io.optimus.yarn.budget.QueueBudgets} first.
 */
@NullMarked
package io.optimus.yarn.budget;

import org.jspecify.annotations.NullMarked;
