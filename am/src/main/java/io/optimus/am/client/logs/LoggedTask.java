package io.optimus.am.client.logs;

/**
 * One process of a job and where its output is.
 *
 * @param name {@code worker-3}, {@code ps-0}, or {@code master-1} for the ApplicationMaster of the first attempt
 * @param container YARN's id of its container
 * @param node YARN's id of the node; empty if it is not known
 * @param address the web address of the node's NodeManager, with the scheme; empty if it does not run
 */
record LoggedTask(String name, String container, String node, String address) {}
