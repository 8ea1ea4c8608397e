/**
 * The {@code yarn jar optimus-am.jar} command: checks job files, submits jobs, shows and ends them. Open {@link
 * io.optimus.am.client.OptimusCommand} first; {@link io.optimus.am.client.cluster.ClusterClient} is all that it asks of YARN.
 */
@NullMarked
package io.optimus.am.client;

import org.jspecify.annotations.NullMarked;
