/**
 * Records rounds as JSON lines in files, so that a simulator can replay them. Open {@link
 * io.optimus.yarn.recording.RoundRecorder} first.
 */
@NullMarked
package io.optimus.yarn.recording;

import org.jspecify.annotations.NullMarked;
