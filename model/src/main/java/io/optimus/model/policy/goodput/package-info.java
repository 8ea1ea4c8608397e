/**
 * Rank-weighted marginal goodput. Open {@link io.optimus.model.policy.goodput.MarginalGoodputPolicy} first: it lists the
 * steps, each of which is a class here.
 */
@NullMarked
package io.optimus.model.policy.goodput;

import org.jspecify.annotations.NullMarked;
