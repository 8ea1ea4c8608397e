/**
 * The protocol between the processes of one training job: identities, the handshake, frames and messages. Open {@link
 * io.optimus.am.wire.Message} first. Nothing here depends on YARN.
 */
@NullMarked
package io.optimus.am.wire;

import org.jspecify.annotations.NullMarked;
