/**
 * Measures the exchange of gradients and parameters between workers and parameter servers beside bare sockets. Open {@link
 * io.optimus.dataplane.DataPlaneBenchmark} first.
 */
@NullMarked
package io.optimus.dataplane;

import org.jspecify.annotations.NullMarked;
