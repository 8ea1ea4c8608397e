/**
 * One training job as a round sees it: who it is, what it wants, what it has, what is believed of it. Open {@link
 * io.optimus.model.job.JobSnapshot} first.
 */
@NullMarked
package io.optimus.model.job;

import org.jspecify.annotations.NullMarked;
