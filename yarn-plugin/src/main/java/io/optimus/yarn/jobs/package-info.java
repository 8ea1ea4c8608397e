/**
 * The scheduler's knowledge of training jobs: soft state from their own reports, checked and bounded. Open {@link
 * io.optimus.yarn.jobs.JobRegistry} first.
 */
@NullMarked
package io.optimus.yarn.jobs;

import org.jspecify.annotations.NullMarked;
