/**
 * The scheduler's belief of a job: its speed, its remaining steps, and the size to run next in order to learn. The
 * ResourceManager and the simulator use the same classes, so that the same reports give a policy the same belief. Open {@link
 * io.optimus.model.belief.BeliefSource} first, then {@link io.optimus.model.belief.LearnedBelief}.
 */
@NullMarked
package io.optimus.model.belief;

import org.jspecify.annotations.NullMarked;
