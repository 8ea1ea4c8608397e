/**
 * Figures for Hadoop's metrics system. Open {@link io.optimus.yarn.metrics.OptimusMetrics} first.
 */
@NullMarked
package io.optimus.yarn.metrics;

import org.jspecify.annotations.NullMarked;
