/**
 * What all commands share: Hadoop's options, exit codes, forms of answers, and what they use besides their arguments. Open
 * {@link io.optimus.am.client.command.ClusterCommand} first.
 */
@NullMarked
package io.optimus.am.client.command;

import org.jspecify.annotations.NullMarked;
