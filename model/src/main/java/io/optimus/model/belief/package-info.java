/**
 * What the scheduler believes of a job: its speed, its remaining steps, and the size to run next in order to learn. The
 * ResourceManager and the simulator ask the same classes, so that equal reports lead to equal snapshots. Open
 * {@link io.optimus.model.belief.BeliefSource} first, then {@link io.optimus.model.belief.LearnedBelief}.
 */
@NullMarked
package io.optimus.model.belief;

import org.jspecify.annotations.NullMarked;
