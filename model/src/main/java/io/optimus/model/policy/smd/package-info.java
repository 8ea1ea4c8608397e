/**
 * SMD: the best size of each job by a sum-of-ratios search, and the choice of jobs by a multi-dimensional knapsack. Open
 * {@link io.optimus.model.policy.smd.SmdPolicy} first.
 */
@NullMarked
package io.optimus.model.policy.smd;

import org.jspecify.annotations.NullMarked;
