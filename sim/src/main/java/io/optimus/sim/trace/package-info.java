/** Workloads that are drawn or read from files. Each format has a package of its own. */
@NullMarked
package io.optimus.sim.trace;

import org.jspecify.annotations.NullMarked;
