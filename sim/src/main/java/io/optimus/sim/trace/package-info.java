/** Where workloads come from: drawn, or read from files, each kind in a package of its own. */
@NullMarked
package io.optimus.sim.trace;

import org.jspecify.annotations.NullMarked;
