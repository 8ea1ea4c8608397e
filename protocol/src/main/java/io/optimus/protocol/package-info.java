/**
 * The protocol between a training ApplicationMaster and the scheduler: {@link io.optimus.protocol.TrainingProtocol} over
 * Hadoop RPC with protobuf, authenticated by the AMRM token that YARN gives to every ApplicationMaster.
 */
@NullMarked
package io.optimus.protocol;

import org.jspecify.annotations.NullMarked;
