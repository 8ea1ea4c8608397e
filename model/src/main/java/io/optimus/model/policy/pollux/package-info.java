/**
 * Pollux: sizes and places are searched together by a genetic algorithm. Open {@link
 * io.optimus.model.policy.pollux.PolluxPolicy} first; {@link io.optimus.model.policy.pollux.SearchProblem} states the problem,
 * {@link io.optimus.model.policy.pollux.Evolution} searches.
 */
@NullMarked
package io.optimus.model.policy.pollux;

import org.jspecify.annotations.NullMarked;
