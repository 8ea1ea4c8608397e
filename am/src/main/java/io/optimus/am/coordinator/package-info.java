/**
 * The coordinator of one elastic training job, inside its ApplicationMaster: accepts the tasks' connections, handles
 * their messages, follows losses and epochs, decides the stop, and orders checkpoints. Open {@link
 * io.optimus.am.coordinator.Coordinator} first. It does not depend on YARN: the ApplicationMaster starts and ends the
 * processes, sets the target, and listens.
 */
@NullMarked
package io.optimus.am.coordinator;

import org.jspecify.annotations.NullMarked;
