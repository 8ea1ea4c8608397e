/**
 * The parameter server process: holds a shard of the parameters with their optimizer state, and applies the workers'
 * gradients to it. Open {@link io.optimus.am.ps.ParameterServer} first; the arithmetic is in Shard and UpdateRule,
 * the meeting of pushes in SynchronousDesk and AsynchronousDesk.
 */
@NullMarked
package io.optimus.am.ps;

import org.jspecify.annotations.NullMarked;
