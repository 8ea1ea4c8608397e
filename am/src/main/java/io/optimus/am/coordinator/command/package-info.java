/**
 * The coordinator of a job whose commands train by themselves: starts them together with the environment that they need to
 * find each other, ends and restarts them for a resize, and follows what they print. Open {@link
 * io.optimus.am.coordinator.command.CommandEventHandler} first.
 */
@NullMarked
package io.optimus.am.coordinator.command;

import org.jspecify.annotations.NullMarked;
