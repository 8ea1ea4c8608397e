/** A workload that needs no file. Open {@link io.optimus.sim.trace.builtin.BuiltinWorkload} first. */
@NullMarked
package io.optimus.sim.trace.builtin;

import org.jspecify.annotations.NullMarked;
