/**
 * The coordinator of one elastic training job, inside its ApplicationMaster: accepts the tasks' connections, handles
 * their messages, follows losses and epochs, decides the stop, and orders checkpoints. Open {@link
 * io.optimus.am.coordinator.Coordinator} first. It knows nothing of YARN: whoever starts and ends the processes tells
 * it the target and listens to it.
 */
@NullMarked
package io.optimus.am.coordinator;

import org.jspecify.annotations.NullMarked;
