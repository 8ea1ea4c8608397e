/**
 * Decides how many tasks each job gets. A policy is a pure function from a snapshot to a decision; open {@link
 * io.optimus.model.policy.AllocationPolicy} first.
 */
@NullMarked
package io.optimus.model.policy;

import org.jspecify.annotations.NullMarked;
