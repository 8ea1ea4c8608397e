/**
 * Hands a job to YARN: its files on the cluster's file system, and the command that starts its ApplicationMaster. Open
 * {@link io.optimus.am.client.submission.Submission} first.
 */
@NullMarked
package io.optimus.am.client.submission;

import org.jspecify.annotations.NullMarked;
