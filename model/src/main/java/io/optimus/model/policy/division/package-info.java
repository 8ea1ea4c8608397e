/**
 * The division of a queue's resources among its jobs in one round, which every policy uses: what is left,
 * what each job was given, and why. Open {@link io.optimus.model.policy.division.Division} first.
 */
@NullMarked
package io.optimus.model.policy.division;

import org.jspecify.annotations.NullMarked;
