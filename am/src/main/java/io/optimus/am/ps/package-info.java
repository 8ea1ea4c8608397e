/**
 * The parameter server process: holds a shard of the parameters with their optimizer state, and applies the workers'
 * gradients to it. Open {@link io.optimus.am.ps.ParameterServer} first. GradientAggregator collects the pushes, and Shard
 * and UpdateRule do the arithmetic.
 */
@NullMarked
package io.optimus.am.ps;

import org.jspecify.annotations.NullMarked;
