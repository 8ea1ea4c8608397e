/**
 * The training service that ApplicationMasters call: the RPC server, the identity of callers, and the answers. Open {@link
 * io.optimus.yarn.service.TrainingServer} first.
 */
@NullMarked
package io.optimus.yarn.service;

import org.jspecify.annotations.NullMarked;
