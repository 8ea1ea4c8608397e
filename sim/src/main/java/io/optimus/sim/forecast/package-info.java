/**
 * Forecasts: a running cluster's jobs, fast-forwarded by the simulator from the state that a round saw. Nothing of the cluster
 * changes. Open {@link io.optimus.sim.forecast.Forecast} first.
 */
@NullMarked
package io.optimus.sim.forecast;

import org.jspecify.annotations.NullMarked;
