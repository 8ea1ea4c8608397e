/**
 * What a policy decided for each job, and why. Open {@link io.optimus.model.decision.AllocationDecision} first; every reason
 * is a value with one sentence for the job's owner and its figures by name.
 */
@NullMarked
package io.optimus.model.decision;

import org.jspecify.annotations.NullMarked;
