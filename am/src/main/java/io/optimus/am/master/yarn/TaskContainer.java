package io.optimus.am.master.yarn;

import io.optimus.model.Role;

/**
 * A container that YARN gave.
 *
 * @param container YARN's container id
 * @param node YARN's node id, host:port
 * @param nodeWeb the NodeManager's web address, host:port; empty where unknown
 * @param role what was asked for
 */
public record TaskContainer(String container, String node, String nodeWeb, Role role) {}
