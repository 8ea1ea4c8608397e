/**
 * The worker's side of an owner's program, which computes gradients in a process beside the worker. Open {@link
 * io.optimus.am.engine.program.ProgramEngine} first; {@link io.optimus.am.engine.program.ProgramMessage} has the protocol.
 */
@NullMarked
package io.optimus.am.engine.program;

import org.jspecify.annotations.NullMarked;
