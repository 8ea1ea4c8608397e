/**
 * How tasks send and load checkpoints, and send the files of a program. Open {@link
 * io.optimus.am.wire.files.CheckpointTransfer} first.
 */
@NullMarked
package io.optimus.am.wire.files;

import org.jspecify.annotations.NullMarked;
