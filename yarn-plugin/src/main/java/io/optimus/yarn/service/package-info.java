/**
 * The door for ApplicationMasters: the RPC server, who calls, and what the answer is. Open {@link
 * io.optimus.yarn.service.TrainingServer} first.
 */
@NullMarked
package io.optimus.yarn.service;

import org.jspecify.annotations.NullMarked;
