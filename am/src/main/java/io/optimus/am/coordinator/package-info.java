/**
 * Runs one elastic training job inside its ApplicationMaster: who is a member, when the membership changes, epochs, the
 * stop, checkpoints. Open {@link io.optimus.am.coordinator.Coordinator} first. Knows nothing of YARN: whoever starts
 * and ends processes drives it and listens to it.
 */
@NullMarked
package io.optimus.am.coordinator;

import org.jspecify.annotations.NullMarked;
