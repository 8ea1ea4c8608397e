/**
 * The decision of a policy for each job, and the reason. Open {@link io.optimus.model.decision.AllocationDecision} first; every
 * reason is a value with one sentence for the job's owner and its figures by name.
 */
@NullMarked
package io.optimus.model.decision;

import org.jspecify.annotations.NullMarked;
