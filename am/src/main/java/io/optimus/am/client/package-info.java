/**
 * The commands of {@code yarn jar optimus-am.jar}: they check job files, submit jobs, show and end them. Open {@link
 * io.optimus.am.client.OptimusCommand} first.
 */
@NullMarked
package io.optimus.am.client;

import org.jspecify.annotations.NullMarked;
