/**
 * What the processes of one training job say to each other: identities, the handshake, frames and messages. Open {@link
 * io.optimus.am.wire.TaskId} and {@link io.optimus.am.wire.MembershipNumber} first. Knows nothing of YARN.
 */
@NullMarked
package io.optimus.am.wire;

import org.jspecify.annotations.NullMarked;
