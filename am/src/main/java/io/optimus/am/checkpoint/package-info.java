/**
 * Checkpoints and the model of one job: receives shards from parameter servers, writes them to the job's directory,
 * finds the one to resume from, and serves it. Open {@link io.optimus.am.checkpoint.CheckpointService} first;
 * {@link io.optimus.am.checkpoint.CheckpointTracker} decides when servers save.
 */
@NullMarked
package io.optimus.am.checkpoint;

import org.jspecify.annotations.NullMarked;
