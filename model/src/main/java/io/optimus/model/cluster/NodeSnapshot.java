package io.optimus.model.cluster;

/**
 * One node as a round sees it.
 *
 * @param id YARN's node id, host:port
 * @param capacity all of the node
 * @param available what training tasks may take here: the capacity less what ordinary applications and
 *     ApplicationMasters hold; what training tasks hold now counts as available. May be negative.
 */
public record NodeSnapshot(String id, Resources capacity, Resources available) {}
