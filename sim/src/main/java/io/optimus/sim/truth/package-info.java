/** The true training of simulated jobs, which no scheduler sees. Open {@link io.optimus.sim.truth.Training} first. */
@NullMarked
package io.optimus.sim.truth;

import org.jspecify.annotations.NullMarked;
