/**
 * The task of a job whose commands train by themselves: a small process in the container that runs the owner's command,
 * tells the coordinator what it prints about its training, and ends it. Open {@link io.optimus.am.command.CommandTask} first.
 */
@NullMarked
package io.optimus.am.command;

import org.jspecify.annotations.NullMarked;
