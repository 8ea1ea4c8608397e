/**
 * A training job as its owner describes it. Open {@link io.optimus.am.job.JobSpec} first, then {@link
 * io.optimus.am.job.JobFile}, which reads it; {@link io.optimus.am.job.JobDirectory} names the files of a submitted job.
 */
@NullMarked
package io.optimus.am.job;

import org.jspecify.annotations.NullMarked;
