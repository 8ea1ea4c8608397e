/**
 * One training job as a round sees it: its identity, its demand, its state and what is believed of it. Open {@link
 * io.optimus.model.job.JobSnapshot} first.
 */
@NullMarked
package io.optimus.model.job;

import org.jspecify.annotations.NullMarked;
