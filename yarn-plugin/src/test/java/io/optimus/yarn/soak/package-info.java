/**
 * A soak of the scheduler: a pair of ResourceManagers in this JVM, simulated nodes, scripted masters and random events, with
 * invariants that are checked all the time. Open {@code Soak} first.
 */
@NullMarked
package io.optimus.yarn.soak;

import org.jspecify.annotations.NullMarked;
