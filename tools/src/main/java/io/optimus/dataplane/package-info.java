/**
 * Measures the exchange of gradients and parameters between workers and parameter servers beside bare sockets, see {@link
 * io.optimus.dataplane.DataPlaneBenchmark}, and how long training stands still when tasks come and go, see {@link
 * io.optimus.dataplane.PauseBenchmark}.
 */
@NullMarked
package io.optimus.dataplane;

import org.jspecify.annotations.NullMarked;
