/**
 * How much training may use of each queue and user, by the rules of CapacityScheduler. Pure: no type of Hadoop. Open {@link
 * io.optimus.yarn.budget.QueueBudgets} first.
 */
@NullMarked
package io.optimus.yarn.budget;

import org.jspecify.annotations.NullMarked;
